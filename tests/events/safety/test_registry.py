"""The registry of handled events (FR-011a): bounded, the least used go first, large is told, old is forgotten every hour."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone
from prometheus_client import REGISTRY

from continuity.events.processed_registry import ENTRY_BYTES, MEGABYTE, WARNING_BYTES
from continuity.models import Team
from continuity.services.subscriptions import acknowledging
from continuity.services.subscriptions.handled_events import HandledEvents
from tests.events.test_bus import ack, say, subscribed, taken

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
KEPT = timedelta(hours=72)


def events(number: int) -> list[UUID]:
    return [uuid4() for _ in range(number)]


def handled(size: int = 10_000, *, large: int = 0, **how: Any) -> HandledEvents:
    """A registry that is large beyond so many entries."""
    return HandledEvents(size, kept=lambda: KEPT, warning_bytes=large * ENTRY_BYTES or WARNING_BYTES, **how)


def records(caplog: pytest.LogCaptureFixture, beginning: str) -> list[Any]:
    return [record for record in caplog.records if record.message.startswith(beginning)]


@pytest.mark.django_db(transaction=True)
def test_it_works(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is acknowledged is remembered, told as such when it is acknowledged again, and measured."""
    monkeypatch.setattr(acknowledging, "known", handled())
    found = subscribed(team)
    ids = say(team, *["task:a"] * 5)
    taken(found)
    assert ack(found, ids).handled == 5
    assert acknowledging.known.among(str(found.id), ids) == set(ids)
    assert REGISTRY.get_sample_value("registry_memory_usage_mb") == pytest.approx(5 * ENTRY_BYTES / MEGABYTE)
    assert ack(found, ids).again == 5


def test_the_least_used_go_first_each_subscriber_for_itself() -> None:
    registry = handled(3)
    a, b, c, d = events(4)
    registry.add("one", [a, b, c], NOW)
    registry.add("other", [a], NOW)
    assert registry.among("one", [a]) == {a}  # Looking makes it the one used last.
    registry.add("one", [d], NOW)
    assert registry.among("one", [a, b, c, d]) == {a, c, d}
    assert registry.among("other", [a, b]) == {a}


def test_it_is_large_beyond_100_mb(caplog: pytest.LogCaptureFixture) -> None:
    """With an entry of its real size, and its real limit."""
    assert WARNING_BYTES == 100 * MEGABYTE
    registry, most = handled(10_000_000), WARNING_BYTES // ENTRY_BYTES
    ids = [UUID(int=number) for number in range(most + 1)]
    registry.add("a", ids[:most], NOW)
    assert registry.memory_mb <= 100
    assert not records(caplog, "The registry")
    registry.add("a", ids[most:], NOW)
    (told,) = records(caplog, "The registry of handled events is too large")
    assert told.levelname == "WARNING"
    assert told.metadata == {"kept": most + 1, "megabytes": 100.0}


def test_where_it_is_large_subscribers_keep_half_as_many_and_it_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    registry = handled(10, large=15)
    first, second = events(10), events(10)
    registry.add("first", first, NOW)
    assert not records(caplog, "The registry")
    registry.add("second", second, NOW)
    assert len(records(caplog, "The registry")) == 1
    assert registry.among("second", second) == set(second[-len(registry.among("second", second)) :])
    assert len(registry.among("second", second)) < 10
    for _ in range(3):
        registry.add("first", events(10), NOW)
        registry.add("second", events(10), NOW)
    assert registry.memory_mb <= 16 * ENTRY_BYTES / MEGABYTE
    assert len(records(caplog, "The registry")) == 1


@pytest.mark.parametrize(("left", "level", "again"), [(3, "INFO", 1), (9, "WARNING", 0)])
def test_a_purge_forgets_what_is_old_and_says_so(caplog: pytest.LogCaptureFixture, left: int, level: str, again: int) -> None:
    """Where it is large after that, too, it says that as a warning, and is not told of anew before that is over."""
    registry = handled(30, large=8)
    old, young = events(9 - left), events(left)
    registry.add("a", old, NOW - KEPT - timedelta(seconds=1))
    registry.add("b", young, NOW - KEPT + timedelta(seconds=1))
    assert len(records(caplog, "The registry")) == 1
    caplog.clear()
    with caplog.at_level(logging.INFO, "continuity.events"):
        assert registry.purge(now=NOW) == 9 - left
    (told,) = records(caplog, "Handled events")
    assert (told.levelname, told.metadata["purged"], told.metadata["kept"]) == (level, 9 - left, left)
    assert registry.among("a", old) == set()
    assert registry.among("b", young) == set(young)
    registry.add("c", events(9), NOW)
    assert len(records(caplog, "The registry")) == again


def until(told: Callable[[], bool]) -> bool:
    begun = time.monotonic()
    while not told() and time.monotonic() - begun < 20:
        time.sleep(0.01)
    return told()


def test_what_is_old_goes_also_where_nobody_acknowledges_any_more(caplog: pytest.LogCaptureFixture) -> None:
    registry = handled(purge_seconds=0.05)
    with caplog.at_level(logging.INFO, "continuity.events"):
        registry.add("a", events(7), timezone.now() - KEPT + timedelta(seconds=0.3))
        assert registry.memory_mb > 0
        assert until(lambda: registry.memory_mb == 0)  # Not by the first purge, by a later one.
        assert until(lambda: registry._purging is None)
        assert records(caplog, "Handled events")[-1].metadata["purged"] == 7
        caplog.clear()
        registry.add("a", events(2), timezone.now() - 2 * KEPT)  # It begins anew after it was empty.
        assert until(lambda: [record.metadata["purged"] for record in records(caplog, "Handled events")] == [2])


def test_events_are_remembered_as_long_as_they_are_kept(settings: Any) -> None:
    for hours in (1, 720):
        settings.EVENT_RETENTION_HOURS = hours
        assert acknowledging.known._kept() == timedelta(hours=hours)
    assert acknowledging.known._purge_seconds == 3600
