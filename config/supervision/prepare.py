"""Preparation before anything serves: migrations, the reader of the metrics, the first team with its owner and key."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from config.embedded.errors import StartError
from config.env import BadSetting, process_environment

if TYPE_CHECKING:
    from django.db.migrations.loader import MigrationLoader

PROJECT = Path(__file__).resolve().parents[2]
# Two hosts that start at once on one database take turns.
LOCK = 0x436F6E74
# Less than Postgres' deadlock_timeout of a second.
SHORTEST_MS, LONGEST_MS = 800, 6_000
TRIES = 60
CONTENDED = ("40P01", "55P03")  # deadlock_detected, lock_not_available


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import CommandError

    try:
        _prepare()
    except (StartError, BadSetting, CommandError) as error:
        print(f"continuity: {error}", file=sys.stderr)
        return 1
    return 0


def _prepare() -> None:
    import django

    django.setup()
    from django.core.management import call_command, get_commands
    from django.db import connection

    from diagnostics.services import measurements

    _migrate()
    try:
        measurements.begin()
        if "bootstrap" in get_commands():
            call_command("bootstrap")
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


def _migrate() -> None:
    """Takes its turn, which it keeps, and migrates beside a release that serves: it waits for no table for long, since others wait behind
    it, nor, at first, for the second after which Postgres ends one of two that wait for each other; it tries again instead."""
    from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections

    for attempt in range(TRIES):
        _connect()
        _take_turn()
        try:
            _migrate_once(patience_ms(attempt))
            return
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", "") not in CONTENDED or attempt == TRIES - 1:
                raise
            print("continuity: a table is in use; migrating again", file=sys.stderr)
            # Django takes itself to be in the transaction still; the turn goes with the connection, and nothing that was committed.
            connection.close()
            del connections[DEFAULT_DB_ALIAS]
            time.sleep(0.3)


def patience_ms(attempt: int) -> int:
    """How long a table may be waited for: longer after every few tries, so that it is had in the end, also where all is slow.

    Beyond a second one of two that wait for each other may be ended by Postgres: whoever serves does its transaction again then.
    """
    return int(min(SHORTEST_MS * 1.4 ** (attempt // 3), LONGEST_MS))


def _migrate_once(patience_ms: int) -> None:
    from django.apps import apps
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from continuity.upgrades import foreign_keys, release_before

    executor = MigrationExecutor(connection)
    _refuse_downgrade(executor.loader)
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = {patience_ms}")
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False, verbosity=0)
    else:
        executor.check_replacements()  # One that stands for others counts as applied with them, so that these can go one day.
    for app in release_before.LAST_MIGRATIONS:  # Also where a start was killed after migrating.
        foreign_keys.follow_models(apps.get_app_config(app))
    with connection.cursor() as cursor:
        cursor.execute("RESET lock_timeout")


def _refuse_downgrade(loader: MigrationLoader) -> None:
    """A release can't know what a newer one made of the tables. While both serve, the older one was started first."""
    known = {*loader.disk_migrations, *(name for squashed in loader.disk_migrations.values() for name in squashed.replaces)}
    apps = {app for app, _ in loader.disk_migrations}
    newer = sorted(f"{app}.{name}" for app, name in loader.applied_migrations if app in apps and (app, name) not in known)
    if newer and not process_environment(PROJECT).flag("CONTINUITY_ALLOW_DOWNGRADE"):
        raise StartError(
            f"this database was prepared by a newer release of Continuity ({newer[-1]} is not known here): start that one again, restore a "
            "back-up into a fresh folder, or set CONTINUITY_ALLOW_DOWNGRADE=1 to go back to the release just before it"
        )


def _take_turn() -> None:
    """Wait for whoever prepares now. It asks again: building an index beside writers would wait for a statement that waits for the lock."""
    from django.db import connection

    with connection.cursor() as cursor:
        while True:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK])
            if cursor.fetchone()[0]:
                return
            time.sleep(0.2)


def _connect() -> None:
    """Wait for the database: beside us in a container it may still be starting."""
    from django.db import OperationalError, connection

    deadline = time.monotonic() + process_environment(PROJECT).number("CONTINUITY_DATABASE_WAIT_SECONDS", 30.0)
    while True:
        try:
            connection.ensure_connection()
            return
        except OperationalError as error:
            if time.monotonic() > deadline:
                raise StartError(f"the database does not answer: {str(error).splitlines()[0]}") from None
            time.sleep(0.5)


if __name__ == "__main__":
    sys.exit(main())
