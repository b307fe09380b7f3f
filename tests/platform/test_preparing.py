"""Of several that start at once on one database, one prepares it; the others wait, and hold up nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config.supervision.prepare import LOCK, TRIES, patience_ms
from continuity.models import Team
from tests.platform.running import PATIENCE_SECONDS, PROJECT, eventually
from tests.upgrade.unsquashed import forget_squashed

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]


def count(query: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])


def asking() -> int:
    return count("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_try_advisory_lock%'")


def locks() -> int:
    """Advisory locks in this database; in those of the other workers each event takes one."""
    here = "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    return count(f"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND {here}")


@contextmanager
def preparing(number: int, data: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    url = "postgresql://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**connection.settings_dict)
    env = {**os.environ, "DATABASE_URL": url, "CONTINUITY_DATA_DIR": str(data)}
    started = [subprocess.Popen([sys.executable, "-m", "config.supervision.prepare"], cwd=PROJECT, env=env) for _ in range(number)]
    try:
        yield started
    finally:
        for process in started:
            process.kill()
            process.wait(PATIENCE_SECONDS)


def test_it_works(tmp_path: Path) -> None:
    count(f"SELECT count(*) FROM pg_advisory_lock({LOCK})")
    squashed = forget_squashed()
    with preparing(2, tmp_path) as started:
        try:
            assert eventually(lambda: asking() == 2)
            # Building an index beside writers waits for every statement that runs; one that waits for a turn must not be among them.
            with connection.cursor() as cursor:
                cursor.execute("SET statement_timeout = '60s'")
                cursor.execute("CREATE INDEX CONCURRENTLY beside_those_who_wait ON continuity_team (created_at)")
                cursor.execute("DROP INDEX beside_those_who_wait")
                cursor.execute("RESET statement_timeout")
            assert [process.poll() for process in started] == [None, None]
            assert not Team.objects.exists()
        finally:
            count(f"SELECT CASE WHEN pg_advisory_unlock({LOCK}) THEN 1 ELSE 0 END")
        assert [process.wait(PATIENCE_SECONDS) for process in started] == [0, 0]
    assert Team.objects.count() == 1
    assert locks() == 0
    assert len(squashed) == 3
    assert MigrationRecorder(connection).applied_migrations().keys() >= set(squashed)


def test_a_database_that_a_newer_release_prepared_is_refused_in_one_line(tmp_path: Path) -> None:
    MigrationRecorder(connection).record_applied("continuity", "9999_of_the_future")
    try:
        url = "postgresql://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**connection.settings_dict)
        env = {**os.environ, "DATABASE_URL": url, "CONTINUITY_DATA_DIR": str(tmp_path)}
        command = [sys.executable, "-m", "config.supervision.prepare"]
        done = subprocess.run(command, cwd=PROJECT, env=env, text=True, capture_output=True, timeout=PATIENCE_SECONDS, check=False)
        assert done.returncode == 1
        said = [line for line in done.stderr.splitlines() if line.startswith("continuity:")]
        assert len(said) == 1
        assert "a newer release of Continuity (continuity.9999_of_the_future" in said[0]
        allowed = {**env, "CONTINUITY_ALLOW_DOWNGRADE": "1"}
        assert subprocess.run(command, cwd=PROJECT, env=allowed, timeout=PATIENCE_SECONDS, check=False, capture_output=True).returncode == 0
    finally:
        MigrationRecorder(connection).record_unapplied("continuity", "9999_of_the_future")


def test_migrating_gives_way_to_whoever_uses_a_table_and_tries_again(tmp_path: Path) -> None:
    """Those who come after it to the table wait less than a second, whoever holds it for however long."""
    url = "postgresql://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**connection.settings_dict)
    call_command("migrate", "diagnostics", "0006", verbosity=0)
    env = {**os.environ, "DATABASE_URL": url, "CONTINUITY_DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "config.supervision.prepare"]
    try:
        with psycopg.connect(url) as holding:
            holding.execute("SELECT count(*) FROM diagnostics_alert")  # As a request does until its transaction ends.
            prepare = subprocess.Popen(command, cwd=PROJECT, env=env, stderr=subprocess.PIPE, text=True)
            assert prepare.stderr is not None
            assert "a table is in use" in next(line for line in prepare.stderr if line.startswith("continuity:"))
        prepare.communicate(timeout=PATIENCE_SECONDS)
        assert prepare.returncode == 0
        assert count("SELECT count(*) FROM diagnostics_alert WHERE untold = '{}'") == 0
    finally:
        call_command("migrate", verbosity=0)


def test_its_patience_grows_within_bounds() -> None:
    waits = [patience_ms(attempt) for attempt in range(TRIES)]
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (800, 6_000)
