"""What dies by kill -9 is started again, and nothing acknowledged is lost."""

from __future__ import annotations

import psycopg
import pytest
import redis
from celery import Celery

from tests.platform.running import Application, eventually

pytestmark = [pytest.mark.processes]
QUEUE = "continuity"


def addresses(application: Application) -> tuple[str, str]:
    run = application.run()
    assert run is not None
    return run.database_url, run.redis_url


def queue_a_task(redis_url: str) -> None:
    """Queue a task that every worker knows and that does nothing, without becoming the process's own application."""
    Celery(broker=redis_url, set_as_current=False).send_task("celery.accumulate", queue=QUEUE, ignore_result=True)


def all_taken(redis_url: str) -> bool:
    """Tell whether a worker took every queued task (what a killed one held comes back much later, and is swept before)."""
    try:
        with redis.Redis.from_url(redis_url) as client:
            return bool(client.llen(QUEUE) == 0)
    except redis.RedisError:
        return False


def test_it_works(application: Application) -> None:
    database_url, redis_url = addresses(application)
    with psycopg.connect(database_url) as connection:
        assert connection.execute("SHOW fsync").fetchone() == ("on",)
    queue_a_task(redis_url)
    assert eventually(lambda: all_taken(redis_url)), application.output()


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_killed_program_is_replaced(application: Application, name: str) -> None:
    before = application.kill(name)
    assert application.replaced(name, before), application.output()
    assert eventually(application.answers), application.output()


def test_killed_postgres_comes_back_with_what_was_committed(application: Application) -> None:
    database_url, _ = addresses(application)
    with psycopg.connect(database_url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (word text)")
        connection.execute("INSERT INTO kept VALUES ('acknowledged')")
    before = application.kill("postgres")
    assert application.replaced("postgres", before), application.output()

    def kept() -> bool:
        try:
            with psycopg.connect(database_url) as connection:
                return connection.execute("SELECT word FROM kept LIMIT 1").fetchone() == ("acknowledged",)
        except psycopg.OperationalError:
            return False

    assert eventually(kept), application.output()
    assert eventually(application.answers), application.output()


def test_killed_valkey_comes_back_and_the_worker_finds_it(application: Application) -> None:
    _, redis_url = addresses(application)
    before = application.kill("valkey")
    assert application.replaced("valkey", before), application.output()
    assert eventually(lambda: all_taken(redis_url)), application.output()
    queue_a_task(redis_url)
    assert eventually(lambda: all_taken(redis_url)), application.output()
