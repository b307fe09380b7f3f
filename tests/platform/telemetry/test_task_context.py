"""A task runs under the correlation id of whoever queued it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from uuid import uuid4

import pytest
from celery import Celery
from django.conf import settings
from django.db import connection
from redis import Redis

from config.celery import BEAT_SCHEDULE, app
from config.task_context import HEADER
from continuity.core.correlation import correlated, current_correlation_id

SEEN: list[str] = []


@app.task(name="tests.note_correlation_id")
def note() -> None:
    SEEN.append(current_correlation_id())


def run_as_a_worker_would(task_id: str, headers: dict[str, str]) -> None:
    app.tasks["tests.note_correlation_id"].apply(task_id=task_id, headers=headers, throw=True)


def test_it_works() -> None:
    SEEN.clear()
    run_as_a_worker_would("t1", {HEADER: "request-7"})
    assert SEEN == ["request-7"]
    assert current_correlation_id() == ""


def test_task_without_a_sender_gets_an_id_of_its_own() -> None:
    SEEN.clear()
    run_as_a_worker_would("t1", {})
    run_as_a_worker_would("t2", {})
    assert len(set(SEEN)) == 2
    assert all(len(value) == 32 for value in SEEN)


def test_published_message_carries_the_id() -> None:
    queue = "tests.correlation"
    with Redis.from_url(settings.REDIS_URL) as broker, correlated("request-8"):
        broker.delete(queue)
        app.send_task("tests.note_correlation_id", queue=queue)
        message = json.loads(broker.lpop(queue))
    assert message["headers"][HEADER] == "request-8"


@pytest.mark.parametrize("entry", BEAT_SCHEDULE.values(), ids=BEAT_SCHEDULE)
def test_everything_on_the_schedule_is_a_known_task(entry: dict[str, object]) -> None:
    app.loader.import_default_modules()
    assert entry["task"] in app.tasks


def test_broker_hands_no_running_task_to_a_second_worker() -> None:
    assert isinstance(app, Celery)
    assert app.conf.task_acks_late is True
    assert app.conf.task_reject_on_worker_lost is True
    assert app.conf.broker_transport_options["visibility_timeout"] > app.conf.task_time_limit


def test_a_script_that_only_sets_django_up_queues_for_our_workers() -> None:
    """Celery's default application would look for a broker that is not there, and wait for it."""
    queue = f"script-{uuid4()}"
    url = "postgresql://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**connection.settings_dict)
    env = {**os.environ, "DATABASE_URL": url, "REDIS_URL": settings.CELERY_BROKER_URL, "CONTINUITY_QUEUE": queue}
    script = "import django; django.setup(); from continuity.services.jobs import queueing; queueing.send('tests.note_correlation_id')"
    subprocess.run([sys.executable, "-c", script], cwd=settings.BASE_DIR, env=env, check=True, timeout=60)
    connected = Redis.from_url(settings.REDIS_URL)
    assert connected.llen(queue) == 1
    connected.delete(queue)
