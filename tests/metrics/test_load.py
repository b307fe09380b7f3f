"""Load: a hundred conversations beside ten, and what a day leaves behind. How fast anything is, no test asks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from continuity.events.policies import ReplayPolicy
from continuity.models import Acknowledgement, Event, Team
from continuity.services.erasure import retention
from continuity.services.jobs import broker
from continuity.services.subscriptions import acknowledging, handing_out, meters, publishing, subscriptions
from continuity.services.subscriptions.acknowledging import Told
from continuity.services.subscriptions.publishing import Publication
from diagnostics.bench import load
from diagnostics.bench.soak import rss_mb
from diagnostics.measuring.instruments import InstrumentKind
from diagnostics.models import CustomSeries, Series
from diagnostics.services import measurements
from diagnostics.services.figures import custom, uptimes
from diagnostics.services.figures.custom import OwnSample

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_works(capsys: pytest.CaptureFixture[str], settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command, on a smaller scale: the limit is refused at, recorders are not, and the team is gone afterwards."""
    settings.MAX_CONCURRENT_SESSIONS = 14
    monkeypatch.setattr(load, "EVERY_SECONDS", 0.5)
    call_command("bench", "--load", "--json", "-n", "3")
    told = json.loads(capsys.readouterr().out)
    few, of_few, opened, many, of_many = told["rows"]
    assert [each["n"] for each in (few, of_few, opened, many, of_many)] == [54, 6, 4, 78, 6]
    assert opened["specified_ms"] == 50
    verdict = told["verdict"]
    assert (verdict["conversations"], verdict["refused_beyond"], verdict["recorder_let_in"]) == (14, True, True)
    assert verdict["opened_ms"] == opened["p95_ms"] > 0
    assert verdict["slower"] > 0
    assert verdict["slower_processor"] > 0
    assert verdict["metrics_cpu"] > 0
    assert not Team.objects.filter(slug__startswith="bench-").exists()


@pytest.mark.parametrize(
    "missed",
    [{}, {"opened_ms": 50.0}, {"slower": 1.51}, {"metrics_cpu": 0.02}, {"refused_beyond": False}, {"recorder_let_in": False}],
    ids=lambda missed: "".join(missed) or "none",
)
def test_one_miss_is_enough(missed: dict[str, Any]) -> None:
    reached = load.LoadVerdict(100, 49.9, 1.5, 1.0, 0.01, refused_beyond=True, recorder_let_in=True)
    assert replace(reached, **missed).ok is not bool(missed)


def a_day(team: Team, *, hours: int, events: int) -> Iterator[tuple[int, float]]:
    """Made-up hours, one after the other: events are published, handled, counted and purged; rows of events and memory after each."""
    found, _ = subscriptions.subscribe(team=team, name="day", pattern="day:*", policy=ReplayPolicy.FULL)
    began = timezone.now() - timedelta(hours=hours)
    for hour in range(hours):
        now = began + timedelta(hours=hour)
        for first in range(0, events, publishing.AT_ONCE):
            some = min(publishing.AT_ONCE, events - first)
            publications = [Publication("day:event", {"n": each}) for each in range(some)]
            publishing.publish(team=team, publications=publications, publisher="day", now=now)
            _handle_all(team, found.id, now)
        custom.take(team=team, samples=[OwnSample("hours", InstrumentKind.COUNTER, 1, {"hour": str(hour)})], now=now)
        uptimes.note(ready=True, now=now)
        measurements.catch_up()
        retention.purge(now=now)
        yield Event.objects.filter(team=team).count(), rss_mb()


def _handle_all(team: Team, subscription: Any, now: datetime) -> None:
    while (taken := handing_out.take(team=team, subscription_id=subscription, now=now, limit=100)).items:
        told = [Told(item.event.id) for item in taken.items]
        acknowledging.acknowledge(team=team, subscription_id=subscription, told=told, now=now)


def check_a_day(team: Team, *, hours: int, events: int) -> None:
    keys = broker_keys()
    looks = list(a_day(team, hours=hours, events=events))
    rows = [rows for rows, _ in looks]
    memory = [memory for _, memory in looks]
    kept = max(rows[: hours // 3])
    assert max(rows) <= kept * 1.2, "no more events than an hour's retention keeps"
    assert Acknowledgement.objects.count() <= kept * 1.2
    assert CustomSeries.objects.count() == min(hours, custom.MOST_SERIES)
    assert Series.objects.count() <= 40
    assert broker_keys() - keys <= 40
    assert memory[-1] <= memory[hours // 3] * 1.05


def broker_keys() -> int:
    found: list[int] = []
    broker.try_call(lambda client: found.append(sum(1 for _ in client.scan_iter(f"{meters.KEY}*"))))
    return found[0]


def test_a_day_of_load_leaves_no_more_than_its_retention(team: Team, settings: Any) -> None:
    settings.EVENT_RETENTION_HOURS = 1
    check_a_day(team, hours=9, events=40)


@pytest.mark.long
def test_twenty_four_hours_of_load_in_injected_time(team: Team, settings: Any) -> None:
    settings.EVENT_RETENTION_HOURS = 1
    check_a_day(team, hours=24, events=5000)
