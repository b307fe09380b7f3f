"""What is as usual takes one call to the database, and comes out as it does where all cases are gone through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from continuity.events import topics
from continuity.events.policies import ReplayPolicy
from continuity.models import Delivery, Event, PublishedPayload, Subscription, Team
from continuity.services.subscriptions import event_delivery, fast_path, subscriptions
from continuity.services.subscriptions.event_delivery import TakenEvents
from tests.events.test_bus import ack, say, subscribed, taken

pytestmark = pytest.mark.django_db(transaction=True)
PATTERNS = ["*", "task:*", "task:*:done", "*:done", "*:*", "a.b:c", "a.b:*,task:a", "task:a:*:*", "task"]
TOPICS = ["task", "task:a", "task:a:done", "task:done", "task:a:b:c", "a.b:c", "aXb:c", "a.b", "note:a", "x:done", "TASK:a"]


def test_it_works(team: Team) -> None:
    found = subscribed(team)
    taken(found)
    ids = say(team, "task:a", "note:b", "task:c", payload={"n": [1, None]})
    with CaptureQueriesContext(connection) as statements:
        got = taken(found, waiting_since=timezone.now() - timedelta(seconds=5))
        assert ack(found, [ids[0], ids[2]]).handled == 2
    assert len(statements) == 2
    assert [(item.event.id, item.event.payload, item.attempt, item.replay, item.fresh) for item in got.items] == [
        (ids[0], {"n": [1, None]}, 1, False, True),
        (ids[2], {"n": [1, None]}, 1, False, True),
    ]
    assert ack(found, [ids[0]]).again == 1


@pytest.mark.parametrize("limit", [1, 2, 100])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_same_is_handed_out_as_where_all_cases_are_gone_through(team: Team, pattern: str, limit: int) -> None:
    one, other = subscribed(team, "one", pattern), subscribed(team, "two", pattern)
    for each in (one, other):
        taken(each, limit=1000)
        ack(each, list(Delivery.objects.filter(subscription=each).values_list("event_id", flat=True)))
    say(team, *TOPICS)
    PublishedPayload.objects.filter(event__topic="task:a").delete()
    since, now = timezone.now() - timedelta(seconds=9), timezone.now()
    for _ in range(len(TOPICS) + 3):
        ours = event_delivery.take(team=team, subscription_id=one.id, now=now, limit=limit, waiting_since=since)
        asked: dict[str, Any] = {"epoch": None, "lease": timedelta(seconds=30), "patience": None}
        theirs = event_delivery._take(team=team, subscription_id=other.id, now=now, limit=limit, waiting_since=since, **asked)
        assert as_told(ours) == as_told(theirs)
    assert rows(one) == rows(other)


def as_told(got: TakenEvents) -> tuple[Any, ...]:
    return got.items, got.position, got.gap, got.next_due, got.more, got.soon


def rows(found: Subscription) -> list[Any]:
    held = Delivery.objects.filter(subscription=found).order_by("position")
    told = held.values_list("event_id", "position", "attempts", "due_at", "latency_ms", "replay", "reason")
    return [[round(value, 3) if isinstance(value, float) else value for value in row] for row in told]


def test_patterns_mean_the_same_to_the_database() -> None:
    with connection.cursor() as cursor:
        for patterns, topic in product(PATTERNS, TOPICS):
            cursor.execute("SELECT %s ~ ANY (%s)", [topic, topics.expressions(patterns)])
            assert cursor.fetchone()[0] == topics.matches(patterns, topic), (patterns, topic)


def pause(found: Subscription) -> None:
    subscriptions.change(team=found.team, subscription_id=found.id, given={"paused": True})


def other_pattern(found: Subscription) -> None:
    subscriptions.change(team=found.team, subscription_id=found.id, given={"pattern": "note:*"})


def holds_much(found: Subscription) -> None:
    say(found.team, "task:held")
    taken(found)
    event = Event.objects.filter(topic="task:held").latest("position")
    more = event_delivery.IN_FLIGHT - 100
    said = Event.objects.bulk_create(Event(team=found.team, name="made.up", dispatched_at=timezone.now()) for _ in range(more))
    due, place = timezone.now() + timedelta(hours=1), event.position or 0
    Delivery.objects.bulk_create(Delivery(subscription=found, event=each, position=place, due_at=due) for each in said)


UNUSUAL: Sequence[Callable[[Subscription], object]] = [
    pause,
    other_pattern,
    holds_much,
    lambda found: Subscription.objects.filter(id=found.id).update(gap_through=1),
    lambda found: Subscription.objects.filter(id=found.id).update(replay_through=2**40),
    lambda found: Subscription.objects.filter(id=found.id).update(seen_at=timezone.now() - timedelta(hours=1)),
    lambda found: Subscription.objects.filter(id=found.id).update(replayed=2, replay_failed=1),
    lambda found: Delivery.objects.update(due_at=timezone.now() - timedelta(seconds=1)),
    lambda found: [say(found.team, *["note:x"] * 100) for _ in range(3)],
    lambda found: subscriptions.remove(team=found.team, subscription_id=found.id),
    lambda found: subscriptions.begin(team=found.team, subscription_id=found.id, now=timezone.now()),
]


@pytest.mark.parametrize("change", UNUSUAL, ids=range(len(UNUSUAL)))
def test_what_is_unusual_is_left_to_who_knows_all_cases(team: Team, change: Callable[[Subscription], object]) -> None:
    found = subscribed(team, policy=ReplayPolicy.FULL)
    epoch = subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now()).epoch
    taken(found)
    say(team, "task:held")
    taken(found)
    assert usual_take(found, epoch) is not None
    change(found)
    say(team, "task:a")
    before = Delivery.objects.count()
    assert usual_take(found, epoch) is None
    assert Delivery.objects.count() == before


def usual_take(found: Subscription, epoch: int) -> fast_path.UsualTake | None:
    now = timezone.now()
    how: dict[str, Any] = {"epoch": epoch, "waiting_since": now, "patience": None, "bounds": event_delivery._BOUNDS._replace(most=100)}
    return fast_path.take(team_id=found.team_id, subscription_id=found.id, now=now, due_at=now + timedelta(seconds=30), **how)


def test_what_is_passed_over_is_stored_now_and_then(team: Team) -> None:
    found = subscribed(team)
    taken(found)
    say(team, *["note:x"] * (event_delivery.PASSED - 2))
    assert taken(found).position > Subscription.objects.get().position
    say(team, "note:x", "note:x")
    assert taken(found).position == Subscription.objects.get().position


def test_the_database_goes_by_index_until_the_transaction_ends(team: Team) -> None:
    """In it foreign keys are checked, with plans that are kept."""
    found = subscribed(team)
    taken(found)
    with transaction.atomic(), connection.cursor() as cursor:
        say(team, "task:a")
        cursor.execute("SELECT current_setting('enable_seqscan')")
        assert cursor.fetchone()[0] == "off"
        cursor.execute("SET LOCAL enable_seqscan = on")
        assert len(taken(found).items) == 1
        cursor.execute("SELECT current_setting('enable_seqscan'), current_setting('synchronous_commit')")
        assert cursor.fetchone() == ("off", "off")
