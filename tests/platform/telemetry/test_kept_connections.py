"""A pool process of the worker keeps its connection to the database from task to task, as long as it is sound."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from celery.fixups.django import DjangoFixup
from django.db import connection

from config import task_context
from config.celery import app

pytestmark = pytest.mark.django_db(transaction=True)

TASK = SimpleNamespace(request=SimpleNamespace(is_eager=False))


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", task_context.KEPT_SECONDS)
    yield
    connection.close()


def backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_it_works() -> None:
    first = backend()
    task_context.keep_connections(task=TASK)
    task_context.keep_connections(task=TASK)
    assert backend() == first


def test_celery_itself_leaves_connections_to_us() -> None:
    first = backend()
    DjangoFixup(app).worker_fixup.close_database()
    assert backend() == first


def test_pool_process_lets_its_connections_last() -> None:
    connection.settings_dict["CONN_MAX_AGE"] = 0
    task_context.let_connections_last()
    assert connection.settings_dict["CONN_MAX_AGE"] == task_context.KEPT_SECONDS


def test_connection_that_the_server_ended_is_made_anew() -> None:
    first = backend()
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [first])
    other.close()
    task_context.keep_connections(task=TASK)
    assert backend() != first


def test_transaction_that_a_task_left_open_ends_with_it() -> None:
    first = backend()
    with connection.cursor() as cursor:
        cursor.execute("BEGIN")
    task_context.keep_connections(task=TASK)
    assert backend() != first


def test_old_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    first = backend()
    monkeypatch.setattr(connection, "close_at", 0.0)
    task_context.keep_connections(task=TASK)
    assert backend() != first


def test_task_that_runs_in_place_keeps_its_callers_connection() -> None:
    first = backend()
    with connection.cursor() as cursor:
        cursor.execute("BEGIN")
    task_context.keep_connections(task=SimpleNamespace(request=SimpleNamespace(is_eager=True)))
    assert backend() == first
    with connection.cursor() as cursor:
        cursor.execute("ROLLBACK")
