"""Restoring a back-up: nothing changes unless all of it is there, and what stands in the tables afterwards is what stood there before."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.migrations.loader import MigrationLoader

from continuity.services.agent_state.storage_errors import telling
from diagnostics.archives import manifest
from diagnostics.archives.manifest import Manifest
from diagnostics.archives.problems import BadBackup
from diagnostics.services.backups import kept_files, reading, tables

UNFINISHED = "restore.unfinished"
# Of Postgres 17: an older server does not know it, and the dump doesn't need it.
_NEWER_SETTING = b"SET transaction_timeout"
# How a command to psql begins; no line of SQL that pg_restore writes does.
_PSQL = b"\\"
_FROM_HERE, _ROWS_END = b" FROM stdin;\n", b"\\.\n"


class NotEmpty(Exception):
    """There is something already where the back-up would go; the message says what."""


def restore(*, path: Path, passphrase: str, replace: bool, tell: Callable[[str], None]) -> Manifest:
    """Reads the file twice: to know that it is whole, and to restore it, in one transaction that ends with a comparison of every table.

    Raises BadBackup, NotEmpty, OSError, ToolMissing. With `replace` what stands here goes, in the same transaction.
    """
    told = reading.check_file(path, passphrase)
    tell(f"The back-up of {told.made_at} (release {told.version}) is whole: {told.rows:,} rows in {len(told.tables)} tables.")
    _check_release(told)
    _check_place(replace)
    folder = settings.CONTINUITY_DATA_DIR / UNFINISHED
    shutil.rmtree(folder, ignore_errors=True)
    try:
        _restore_database(path, passphrase, folder)
        tell("Every table holds what it held. Newer migrations follow.")
        call_command("migrate", interactive=False, verbosity=0)
        with telling():
            kept_files.take_over(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return told


def _check_release(told: Manifest) -> None:
    known: dict[str, set[str]] = {}
    for app, name in MigrationLoader(None).disk_migrations:
        known.setdefault(app, set()).add(name)
    newer = manifest.newer_migrations(told, known)
    if newer:
        raise BadBackup(
            f"it was made by a newer release ({told.version}; this is {settings.CONTINUITY_VERSION}), whose tables have {newer[-1]}"
        )


def _check_place(replace: bool) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        others = cursor.fetchone()[0]
    if others:
        raise NotEmpty(f"{others} others work on this database: stop Continuity first, on every host")
    uploads = Path(settings.MEDIA_ROOT)
    there = [f"the database has {len(found)} tables" for found in [tables.names()] if found]
    there += ["the folder of uploads has files"] if uploads.is_dir() and any(uploads.iterdir()) else []
    if there and not replace:
        raise NotEmpty(f"{' and '.join(there)}: give a fresh folder or database, or --replace to remove what is there")


def _restore_database(path: Path, passphrase: str, folder: Path) -> None:
    """One transaction: whatever ends this process before its end leaves what was there."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL client_min_messages = error; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '10s'")
        cursor.execute("DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public")
        with path.open("rb") as source:
            told = reading.as_script(
                source, passphrase, lambda script: _run(script, cursor), lambda each: kept_files.put(folder, each.name, each.stream)
            )
        found = tables.contents()
        different = sorted(name for name in {*found, *told.tables} if found.get(name) != told.tables.get(name))
        if different:
            raise BadBackup(f"the tables {', '.join(different[:5])} would not hold what they held: nothing was restored")
    connection.close()  # The dump's settings, such as an empty search path, end with the connection.


def _run(script: IO[bytes], cursor: CursorWrapper) -> None:
    """Executes what pg_restore wrote: rows are copied, all between them is SQL; of psql's own commands none is obeyed."""
    statements: list[bytes] = []
    for line in script:
        if line.startswith(b"COPY ") and line.endswith(_FROM_HERE):
            _execute(cursor, statements)
            with cursor.copy(line.rstrip(b";\n").decode()) as copying:
                for row in iter(script.readline, b""):
                    if row == _ROWS_END:
                        break
                    copying.write(row)
        elif not line.startswith((_NEWER_SETTING, _PSQL)):
            statements.append(line)
    _execute(cursor, statements)


def _execute(cursor: CursorWrapper, statements: list[bytes]) -> None:
    text = b"".join(statements).decode()
    statements.clear()
    if text.strip():
        cursor.execute(text)
