"""Who counts as there, and who as away: a subscriber that listens in silence is there."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from continuity.events import delays
from continuity.live import subscribing
from continuity.models import Subscription, Team
from continuity.services.subscriptions import event_delivery, subscriptions
from continuity.services.subscriptions.acknowledging import AckOutcome
from continuity.services.subscriptions.event_delivery import TakenEvents
from tests.events.test_bus import ack, say, subscribed, taken

pytestmark = pytest.mark.django_db(transaction=True)


class Clock:
    """What the reader takes for the time."""

    def __init__(self) -> None:
        self.at = timezone.now()

    def now(self) -> datetime:
        return self.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(subscribing, "timezone", made)
    return made


class Reading:
    """A stream's reader, step by step."""

    def __init__(self, found: Subscription, epoch: int | None) -> None:
        self.reader = subscribing._Reader(found.team, found.id, 100, epoch, delays.LEASE)

    def look(self, *, woken: bool) -> TakenEvents:
        got = self.reader._take(woken)
        self.reader.note(got)
        return got


def test_it_works(team: Team, clock: Clock) -> None:
    """A stream that was quiet for long misses nothing."""
    found = subscribed(team)
    reading = Reading(found, subscriptions.begin(team=team, subscription_id=found.id, now=clock.at).epoch)
    reading.look(woken=True)
    for _ in range(8):
        clock.at += timedelta(seconds=15)
        assert reading.look(woken=False).items == []
    (id,) = say(team, "task:completed")
    clock.at += timedelta(milliseconds=10)
    (item,) = reading.look(woken=True).items
    assert (item.event.id, item.replay) == (id, False)


@pytest.mark.parametrize("outcome", [AckOutcome.WORKING, AckOutcome.FAILED])
def test_who_works_for_long_or_fails_is_there(team: Team, outcome: AckOutcome) -> None:
    found, now = subscribed(team), timezone.now()
    (first,) = say(team, "task:long")
    taken(found, now=now)
    for _ in range(6):
        now += timedelta(seconds=20)
        ack(found, [first], outcome, now=now)
    (second,) = say(team, "task:ordinary")
    assert second in [item.event.id for item in taken(found, now=now + timedelta(seconds=1)).items]


def test_who_was_fenced_off_or_away_is_not_heard_of(team: Team) -> None:
    found, now = subscribed(team), timezone.now()
    first = subscriptions.begin(team=team, subscription_id=found.id, now=now).epoch
    second = subscriptions.begin(team=team, subscription_id=found.id, now=now).epoch
    for epoch, later, heard in ((first, 60, False), (second, 91, False), (second, 10, False), (second, 60, True)):
        at = now + timedelta(seconds=later)
        event_delivery.touch_presence(team=team, subscription_id=found.id, now=at, epoch=epoch)
        found.refresh_from_db()
        assert (found.seen_at == at) is heard


def test_a_sign_of_life_waits_for_nobody(team: Team) -> None:
    found, now = subscribed(team), timezone.now()
    taken(found, now=now)
    held, free = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Subscription.objects.select_for_update().get(id=found.id)
            held.set()
            free.wait(20)
        connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        assert held.wait(20)
        event_delivery.touch_presence(team=team, subscription_id=found.id, now=now + timedelta(seconds=30))
    finally:
        free.set()
        thread.join()
    found.refresh_from_db()
    assert found.seen_at == now
