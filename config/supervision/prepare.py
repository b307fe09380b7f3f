"""Preparation before anything serves: migrations, the reader of the metrics, the first team with its owner and key."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from config.embedded.errors import StartError
from config.env import BadSetting, process_environment

PROJECT = Path(__file__).resolve().parents[2]
# Two hosts that start at once on one database take turns.
LOCK = 0x436F6E74


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
    from django.db.migrations.executor import MigrationExecutor

    from diagnostics.services import measurements

    _connect()
    _take_turn()
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", interactive=False, verbosity=0)
        measurements.begin()
        if "bootstrap" in get_commands():
            call_command("bootstrap")
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


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
