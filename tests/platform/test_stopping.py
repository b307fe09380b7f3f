"""A signal ends everything in order; kill -9 of the supervisor ends it too, and the next start recovers."""

from __future__ import annotations

import signal

import psycopg
import pytest

from tests.platform.running import Application, eventually

pytestmark = [pytest.mark.processes]


def test_it_works(application: Application) -> None:
    """What Ctrl-C sends ends everything (SIGTERM: the test of an ordinary user's start)."""
    assert application.stop(signal.SIGINT) == 0, application.output()
    assert application.left_running() == []
    assert not (application.data_dir / "run.json").exists()
    assert not (application.data_dir / "postgres" / "postmaster.pid").exists()


def test_killed_supervisor_is_recovered_by_the_next_start(application: Application) -> None:
    run = application.run()
    assert run is not None
    with psycopg.connect(run.database_url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS survives (word text)")
        connection.execute("INSERT INTO survives VALUES ('acknowledged')")
    application.stop(signal.SIGKILL)
    application.start()
    assert eventually(application.answers), application.output()
    after = application.run()
    assert after is not None
    assert not any(who.alive() for who in run.processes.values())
    with psycopg.connect(after.database_url) as connection:
        assert connection.execute("SELECT word FROM survives LIMIT 1").fetchone() == ("acknowledged",)


def test_second_start_says_that_it_runs(application: Application) -> None:
    second = application.try_start()
    assert second.returncode == 1
    assert second.stderr.splitlines() == [
        f"continuity: already running at http://127.0.0.1:{application.port}"
        f" (pid {application.supervisor.pid if application.supervisor else 0}, data in {application.data_dir})"
    ]
    assert application.answers()
