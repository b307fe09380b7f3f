"""An event that ends its subscriber's process: it alone becomes a dead letter."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from continuity.client.events import Subscriber
from continuity.events import delays
from continuity.events.policies import ReplayPolicy
from continuity.models import DeadLetter, Delivery, Subscription, Team
from continuity.services.subscriptions import subscriptions
from continuity.services.subscriptions.acknowledging import AckOutcome
from continuity.services.subscriptions.event_delivery import HandedEvent
from tests.events.test_bus import ack, say, subscribed, taken
from tests.events.test_killing import Agents, query
from tests.platform.running import Application, eventually, key_of

HERE = pytest.mark.django_db(transaction=True)


def begun(found: Subscription, now: datetime) -> Sequence[HandedEvent]:
    """A new instance, and what it is handed."""
    subscriptions.begin(team=found.team, subscription_id=found.id, now=now)
    return taken(found, now=now).items


@HERE
def test_it_works(team: Team) -> None:
    found, now = subscribed(team), timezone.now()
    fatal, *others = say(team, "task:fatal", *["task:fine"] * 99)
    taken(found, now=now)
    for attempt in range(2, delays.ATTEMPTS + 1):
        now += timedelta(seconds=2)
        items = begun(found, now)
        assert [item.event.id for item in items] == [fatal, *others]
        assert [item.attempt for item in items] == [attempt, *[1] * 99]
    items = begun(found, now)
    assert [item.event.id for item in items] == others
    assert DeadLetter.objects.get().event_id == fatal
    assert ack(found, others).handled == 99


@HERE
def test_a_failure_is_never_given_back(team: Team) -> None:
    """Only what nothing was said of was perhaps not begun."""
    found, now = subscribed(team), timezone.now()
    first, failing, last = say(team, "task:a", "task:b", "task:c")
    taken(found, now=now)
    ack(found, [failing], AckOutcome.FAILED, now=now)
    assert {item.event.id: item.attempt for item in begun(found, now)} == {first: 2, failing: 2, last: 1}
    ack(found, [first], now=now)
    assert Delivery.objects.get(event_id=failing).reason == ""
    assert {item.event.id: item.attempt for item in begun(found, now)} == {failing: 3, last: 1}


@HERE
def test_what_failed_comes_again_at_once_too(team: Team) -> None:
    found, now = subscribed(team), timezone.now()
    (failing,) = say(team, "task:a")
    taken(found, now=now)
    ack(found, [failing], AckOutcome.FAILED, now=now)
    assert taken(found, now=now).items == []
    assert [(item.event.id, item.attempt) for item in begun(found, now)] == [(failing, 2)]


@HERE
def test_what_comes_again_so_says_nothing_of_our_speed(team: Team) -> None:
    found, now = subscribed(team, policy=ReplayPolicy.FULL), timezone.now()
    ids = say(team, "task:a", "task:b")
    taken(found, now=now)
    begun(found, now)
    assert not Delivery.objects.filter(event_id=ids[1], latency_ms__isnull=False).exists()


def until_over(agents: Agents, fine: set[str]) -> bool:
    """Whether the process that runs handled all of them; waits until it did, or ended."""

    def all_handled() -> bool:
        return {id for id, _, _ in agents.handled("dying")} == fine

    process = agents.processes[-1]
    assert eventually(lambda: all_handled() or process.poll() is not None)
    return all_handled() and process.poll() is None


@pytest.mark.processes
def test_a_process_that_an_event_ends_again_and_again(application: Application, tmp_path: Path) -> None:
    key, url = key_of(application), f"http://127.0.0.1:{application.port}"
    agents = Agents(tmp_path, url, key)
    publisher = Subscriber("publisher", url=url, key=key)
    try:
        agents.start("dying", "dying")
        assert eventually(lambda: query(application, "SELECT name, epoch FROM continuity_subscription WHERE epoch > 0") != [])
        payloads = [*range(3), "fatal", *range(20)]
        ids = publisher.publish_all([{"topic": "task_completed", "payload": payload} for payload in payloads])
        fine = {id for id, payload in zip(ids, payloads, strict=True) if payload != "fatal"}
        for _ in range(12):
            if until_over(agents, fine):
                break
            agents.start("dying", "dying")
        assert eventually(lambda: query(application, "SELECT 'held', count(*) FROM continuity_delivery") == [("held", 0)])
        assert {id for id, _, _ in agents.handled("dying")} == fine
        letters = query(application, "SELECT event_id::text, attempts FROM continuity_deadletter")
        assert letters == [(ids[3], delays.ATTEMPTS)]
    finally:
        agents.end()
