"""A day of load in injected time: events, figures and conversations. Rows, files and memory stay what an hour's retention keeps."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from continuity.events.policies import ReplayPolicy
from continuity.models import Job, Team, User
from continuity.services.erasure import retention
from continuity.services.jobs import broker
from continuity.services.subscriptions import acknowledging, event_delivery, meters, publishing, subscriptions
from continuity.services.subscriptions.acknowledging import ReportedOutcome
from continuity.services.subscriptions.publishing import Publication
from continuity.storage import registry
from diagnostics.bench.soak import rss_mb
from diagnostics.measuring.instruments import InstrumentKind
from diagnostics.models import CustomSeries
from diagnostics.services import measurements
from diagnostics.services.figures import custom, uptimes
from diagnostics.services.figures.custom import OwnSample
from handoffs.services.erasure import erasing
from tests.metrics.a_day import KEPT_HOURS, LOCKS, ConversationsOfADay, files, open_files, rows

pytestmark = pytest.mark.django_db(transaction=True)

# Grows until it is full: one for each label of the team's own metrics.
FULL_LATER = {"diagnostics.CustomSeries"}


@dataclass(frozen=True, slots=True)
class Look:
    rows: Counter[str]
    files: Counter[str]
    open_files: int
    memory: float


@pytest.fixture
def folder(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where all files of ours are made, temporary ones too."""
    settings.EVENT_RETENTION_HOURS, settings.CONTINUITY_METRICS_DAYS, settings.CONTINUITY_METRIC_IDS = 1, 1 / 12, 4
    monkeypatch.setattr(retention, "UPLOAD_LIFE", timedelta(hours=KEPT_HOURS))
    settings.STORAGE_TYPE, settings.CONTINUITY_DATA_DIR, settings.MEDIA_ROOT = "file", tmp_path / "data", tmp_path / "data" / "uploads"
    settings.MEDIA_ROOT.mkdir(parents=True)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    registry._made.cache_clear()
    yield tmp_path
    registry._made.cache_clear()


def a_day(team: Team, conversations: ConversationsOfADay, folder: Path, *, hours: int, events: int) -> Iterator[Look]:
    """Made-up hours, one after the other: events are published, handled, counted and purged, and so is what is over of conversations."""
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
        conversations.pass_an_hour(now)
        measurements.catch_up()
        retention.purge(now=now)
        yield Look(rows(), files(folder), open_files(), rss_mb())


def _handle_all(team: Team, subscription: Any, now: datetime) -> None:
    while (taken := event_delivery.take(team=team, subscription_id=subscription, now=now, limit=100)).items:
        told = [ReportedOutcome(item.event.id) for item in taken.items]
        acknowledging.acknowledge(team=team, subscription_id=subscription, told=told, now=now)


def grown(looks: list[Look], counts: Callable[[Look], Counter[str]]) -> dict[str, list[int]]:
    """Of what there is more after the first third of the day than ever in it: a tenth for what differs from hour to hour, and one."""
    first = len(looks) // 3
    found = {name: [counts(look)[name] for look in looks] for name in set().union(*map(counts, looks))}
    return {name: each for name, each in found.items() if max(each[first:]) > max(each[:first]) * 1.1 + 1}


def check_a_day(team: Team, owner: User, folder: Path, *, hours: int, events: int, each_hour: int) -> None:
    conversations = ConversationsOfADay(team, owner, folder, each_hour=each_hour)
    keys = broker_keys()
    looks = list(a_day(team, conversations, folder, hours=hours, events=events))
    assert set(grown(looks, lambda look: look.rows)) <= FULL_LATER, grown(looks, lambda look: look.rows)
    assert CustomSeries.objects.count() == min(hours, custom.MOST_SERIES)
    assert broker_keys() - keys <= 40
    locks = "data/agent-state/.locks"
    assert set(grown(looks, lambda look: look.files)) <= {locks}, grown(looks, lambda look: look.files)
    assert looks[-1].files[locks] <= LOCKS
    assert {"data/agent-state", "data/uploads"} <= set(looks[-1].files), "there is something to count"
    assert Job.objects.exclude(kind=erasing.KIND).count() <= each_hour * (KEPT_HOURS + 1)
    third = looks[hours // 3]
    assert looks[-1].open_files <= third.open_files + 2
    assert looks[-1].memory <= third.memory * 1.05


def broker_keys() -> int:
    found: list[int] = []
    broker.try_call(lambda client: found.append(sum(1 for _ in client.scan_iter(f"{meters.KEY}*"))))
    return found[0]


def test_it_works(team: Team, owner: User, folder: Path) -> None:
    """Nine hours."""
    check_a_day(team, owner, folder, hours=9, events=40, each_hour=1)


def test_what_leaks_is_noticed(team: Team, owner: User, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of uploads that nobody purges, and one more temporary file an hour; six hours without conversations show both."""
    monkeypatch.setattr(retention, "_purge_uploads", lambda now: tempfile.NamedTemporaryFile(delete=False).close())
    nothing_said = ConversationsOfADay(team, owner, folder, each_hour=0)
    looks = list(a_day(team, nothing_said, folder, hours=6, events=1))
    assert set(grown(looks, lambda look: look.files)) >= {"data/uploads", "temporary"}


@pytest.mark.long
def test_twenty_four_hours_of_load_in_injected_time(team: Team, owner: User, folder: Path) -> None:
    check_a_day(team, owner, folder, hours=24, events=5000, each_hour=2)
