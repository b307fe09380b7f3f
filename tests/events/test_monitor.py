"""The monitor: one leads, watches are called when they are due, and one that fails harms no other."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from continuity.services.monitor import leading, loop, watches

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """Only the watches of the test."""
    before = dict(watches._known)
    watches._known.clear()
    yield
    watches._known.clear()
    watches._known.update(before)


def test_it_works() -> None:
    called: list[str] = []

    def soon(now: datetime) -> datetime | None:
        called.append("soon")
        return now + timedelta(seconds=5)

    def on_news(now: datetime) -> datetime | None:
        called.append("news")
        return None

    watches.register("soon", soon)
    watches.register("news", on_news, on_news=True)
    assert watches.run_due(now=NOW, clock=100.0) == 5.0
    assert watches.run_due(now=NOW, clock=101.0) == 4.0
    assert watches.run_due(now=NOW, clock=102.0, news=True) == 3.0
    assert watches.run_due(now=NOW, clock=105.0) == 5.0
    assert called == ["soon", "news", "news", "soon"]


def test_a_watch_that_rests_is_called_once_for_the_news_of_a_moment() -> None:
    called: list[str] = []

    def rests(now: datetime) -> None:
        called.append("rests")

    watches.register("rests", rests, on_news=True, rest=timedelta(milliseconds=500))
    assert watches.run_due(now=NOW, clock=100.0) == 60.0
    assert watches.run_due(now=NOW, clock=101.0, news=True) == 0.5
    assert watches.run_due(now=NOW, clock=101.25, news=True) == 0.25
    assert called == ["rests"]
    assert watches.run_due(now=NOW, clock=101.5, news=True) == 60.0
    assert called == ["rests", "rests"]


def test_a_watch_that_raises_waits_longer_and_longer_and_harms_no_other() -> None:
    called = []

    def bad(now: datetime) -> datetime | None:
        raise RuntimeError

    def good(now: datetime) -> datetime | None:
        called.append(now)
        return now + timedelta(seconds=30)

    watches.register("bad", bad, on_news=True)
    watches.register("good", good)
    assert watches.run_due(now=NOW, clock=0.0) == 1.0
    assert watches.run_due(now=NOW, clock=0.5, news=True) == 0.5
    assert watches.run_due(now=NOW, clock=1.0) == 2.0
    assert watches.run_due(now=NOW, clock=3.0) == 4.0
    assert len(called) == 1


def test_a_clock_that_is_set_back_makes_nothing_late() -> None:
    called = []

    def watch(now: datetime) -> datetime | None:
        called.append(now)
        return now + timedelta(seconds=5)

    watches.register("watch", watch)
    watches.run_due(now=NOW, clock=0.0)
    watches.run_due(now=NOW - timedelta(days=1), clock=5.0)
    assert len(called) == 2


@pytest.mark.django_db(transaction=True)
def test_one_leads_until_its_connection_ends() -> None:
    assert leading.try_to_lead()
    assert leading.leads()
    other: list[bool] = []

    def another() -> None:
        other.append(leading.try_to_lead())
        connection.close()

    for expected in (False, True):
        thread = threading.Thread(target=another)
        thread.start()
        thread.join()
        assert other.pop() is expected
        connection.close()
    assert not leading.leads()


@pytest.mark.django_db(transaction=True)
def test_the_loop_ends_when_it_is_asked_to() -> None:
    stop, called = threading.Event(), threading.Event()

    def watch(now: datetime) -> datetime | None:
        called.set()
        return None

    watches.register("watch", watch)
    thread = threading.Thread(target=loop.run, kwargs={"stop": stop})
    thread.start()
    assert called.wait(20)
    stop.set()
    thread.join(20)
    assert not thread.is_alive()


@pytest.mark.django_db(transaction=True)
def test_who_leads_and_has_nothing_to_do_does_not_count_as_standing_still(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(leading, "SILENT_SECONDS", 2)
    monkeypatch.setattr(loop, "LONGEST_WAIT", 0.4)
    stop = threading.Event()
    thread = threading.Thread(target=loop.run, kwargs={"stop": stop})
    with caplog.at_level(logging.INFO, "continuity.monitor"):
        thread.start()
        time.sleep(4)
        stop.set()
        thread.join(20)
    assert [record.message for record in caplog.records if record.name == "continuity.monitor"] == ["The monitor leads"]
