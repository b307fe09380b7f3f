"""Making a back-up of what stands at one moment, beside everything that writes."""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, cast

from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from continuity.services.agent_state.storage_errors import telling
from continuity.storage.whole_files import sync_folder
from diagnostics.archives.container import ArchiveWriter
from diagnostics.archives.manifest import Manifest
from diagnostics.archives.problems import BadBackup
from diagnostics.services.backups import kept_files, postgres_tools, reading, tables

SUFFIX = ".backup"


def name_for(now: datetime) -> str:
    return f"continuity-{now:%Y%m%dT%H%M%SZ}{SUFFIX}"


def make(*, path: Path, passphrase: str, now: datetime) -> Manifest:
    """Writes the file, reads it back and compares, and only then gives it its name: what stood there before stays until then.

    Raises BadBackup where what was read back is not what stands in the database, OSError, ToolMissing.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.unfinished")
    flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    try:
        with os.fdopen(os.open(unfinished, flags, 0o600), "w+b") as target:
            os.fchmod(target.fileno(), 0o600)
            told = _write(target, passphrase, now)
            target.flush()
            os.fsync(target.fileno())
            target.seek(0)
            reading.check(target, passphrase)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    sync_folder(path.parent)
    return told


def keep_latest(*, folder: Path, number: int) -> list[Path]:
    """Removes all but the latest so many back-ups of a folder. Returns what it removed."""
    found = sorted(folder.glob(f"continuity-*{SUFFIX}"), key=lambda path: path.name)
    gone = found[:-number]
    for path in gone:
        path.unlink(missing_ok=True)
    return gone


def _write(target: BinaryIO, passphrase: str, now: datetime) -> Manifest:
    archive = ArchiveWriter(target, passphrase)
    kept_files.add_keys(archive)
    with _moment() as snapshot:
        kept_files.add_uploads(archive)
        with telling():
            kept_files.add_states(archive)
        with _dump(snapshot) as dump:
            archive.add_database(dump)
        told = Manifest(
            version=settings.CONTINUITY_VERSION,
            made_at=now.isoformat(),
            server=connection.cursor().connection.info.server_version,
            storage=settings.STORAGE_TYPE,
            migrations=_applied(),
            tables=tables.contents(),
            database=archive.database,
            files=archive.files,
            secrets=kept_files.keys_here(),
            secrets_elsewhere=kept_files.keys_elsewhere(),
        )
    archive.finish(told)
    return told


@contextmanager
def _moment() -> Iterator[str]:
    """A transaction that sees one moment, and the name by which pg_dump sees the same."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute("SELECT pg_export_snapshot()")
        yield cursor.fetchone()[0]


@contextmanager
def _dump(snapshot: str) -> Iterator[BinaryIO]:
    arguments = ("--format=custom", "--no-owner", "--no-privileges", "--no-comments", "--no-password")
    with postgres_tools.dump(
        *arguments, f"--snapshot={snapshot}", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as dump:
        try:
            yield cast("BinaryIO", dump.stdout)
            errors = cast("BinaryIO", dump.stderr).read()
            dump.wait()
        finally:
            dump.kill()  # It ended, or nobody reads it any more.
        if dump.returncode != 0:
            raise BadBackup(f"pg_dump failed: {postgres_tools.output_tail(errors)}")


def _applied() -> dict[str, list[str]]:
    found = defaultdict(list)
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        found[app].append(name)
    return dict(found)
