"""Many events at once, and rows that somebody holds: nobody else waits, and nothing stands still."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from datetime import timedelta
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from continuity.events import delays
from continuity.events.policies import ReplayPolicy
from continuity.live import subscribing
from continuity.live.stream import HEARTBEAT_SECONDS
from continuity.live.wire import HEARTBEAT
from continuity.models import DeadLetter, Delivery, Subscription, Team
from continuity.services.subscriptions import bus_sql, delivery_failures, event_delivery, sending, subscriptions
from continuity.services.subscriptions.acknowledging import AckOutcome
from tests.events.test_bus import ack, say, subscribed, taken

pytestmark = pytest.mark.django_db(transaction=True)


def say_many(team: Team, number: int) -> list[UUID]:
    return [id for _ in range(number // 100) for id in say(team, *["task:a"] * 100)]


@contextmanager
def held(*rows: Subscription) -> Iterator[None]:
    """Somebody else holds these subscriptions."""
    there, over = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            list(Subscription.objects.select_for_update().filter(id__in=[row.id for row in rows]))
            there.set()
            over.wait(60)
        connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert there.wait(20)
    try:
        yield
    finally:
        over.set()
        thread.join()


def reader(found: Subscription) -> subscribing._Reader:
    return subscribing._Reader(found.team, found.id, 100, None, delays.LEASE)


def test_it_works(team: Team, other_team: Team) -> None:
    """Rows that one team holds do not hold up another: two threads serve all streams."""
    ours, theirs = [subscribed(team, name) for name in "abcd"], subscribed(other_team)
    say(other_team, "task:a")

    async def story() -> float:
        waiting = [asyncio.create_task(reader(found).take(woken=True)) for found in ours]
        await asyncio.sleep(0.1)
        begun = time.monotonic()
        assert len((await reader(theirs).take(woken=True)).items) == 1
        took = time.monotonic() - begun
        for each in waiting:
            got = await each
            assert (got.items, got.soon) == ([], True)
        return took

    with held(*ours):
        assert asyncio.run(story()) < 2


def test_what_was_held_is_looked_at_again_soon(team: Team) -> None:
    found = subscribed(team)
    say(team, "task:a")
    one = reader(found)
    with held(found):
        one.note(one._take(True))
        assert one.patience(60) <= subscribing.SOON_SECONDS
    assert len(one._take(False).items) == 1


def test_only_this_transaction_has_little_patience(team: Team) -> None:
    found = subscribed(team)
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        before = cursor.fetchone()
        taken(found, patience=timedelta(milliseconds=50))
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == before
    with held(found), pytest.raises(OperationalError) as raised:
        taken(found, patience=timedelta(milliseconds=50))
    assert bus_sql.is_held(raised.value)


def test_a_thousand_failures_take_a_few_statements(team: Team) -> None:
    found = subscribed(team, policy=ReplayPolicy.FULL)
    ids = say_many(team, 1000)
    subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
    taken(found, limit=1000)
    with CaptureQueriesContext(connection) as statements:
        assert ack(found, ids, AckOutcome.FAILED).failed == 1000
    # Most of them belong to the alert: half of what was replayed failed.
    assert len(statements) < 30
    assert Delivery.objects.filter(reason="ValueError", due_at__gt=timezone.now() - timedelta(seconds=30)).count() == 1000
    found.refresh_from_db()
    assert (found.replay_failed, found.degraded_at is not None) == (1000, True)


@pytest.mark.parametrize("told", [True, False])
def test_dead_letters_are_made_a_few_at_a_time(team: Team, told: bool) -> None:
    found, now = subscribed(team), timezone.now()
    ids = say_many(team, 100)
    taken(found, now=now)
    Delivery.objects.update(attempts=delays.ATTEMPTS)
    if told:
        assert ack(found, ids, AckOutcome.FAILED, now=now).failed == 100
    else:
        now += timedelta(minutes=1)
        assert taken(found, now=now).items == []
    assert DeadLetter.objects.count() == delivery_failures.BURIED_AT_ONCE
    assert taken(found, now=now).items == []
    assert DeadLetter.objects.count() == 2 * delivery_failures.BURIED_AT_ONCE
    sending.bury_hanging(now)
    assert set(DeadLetter.objects.values_list("event_id", flat=True)) == set(ids)
    assert DeadLetter.objects.filter(reason="ValueError").count() == (100 if told else 0)
    assert not Delivery.objects.exists()


def test_a_stream_goes_on_as_soon_as_its_subscriber_may_hold_more(team: Team) -> None:
    """Nobody is woken by an acknowledgement."""
    found, more = subscribed(team), 300
    ids = say_many(team, event_delivery.IN_FLIGHT + more)

    def acknowledge(some: list[UUID]) -> None:
        try:
            ack(found, some)
        finally:
            connections.close_all()

    async def story() -> list[UUID]:
        got: list[UUID] = []
        async with aclosing(subscribing._stream(reader(found))) as body, asyncio.timeout(HEARTBEAT_SECONDS * 0.8):
            async for chunk in body:
                got += [UUID(json.loads(line[6:])["id"]) for line in chunk.decode().splitlines() if line.startswith("data: ")]
                if len(got) == event_delivery.IN_FLIGHT and chunk == HEARTBEAT:
                    await sync_to_async(acknowledge, thread_sensitive=False)(got[:1000])
                if len(got) == len(ids):
                    break
        return got

    assert asyncio.run(story()) == ids


def scanned() -> int:
    """How often one of these tables was read from its beginning to its end."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute("SELECT sum(seq_scan) FROM pg_stat_user_tables WHERE relname IN ('continuity_event', 'continuity_subscription')")
        return int(cursor.fetchone()[0])


def test_a_burst_reads_no_table_as_a_whole(team: Team) -> None:
    """Plans are kept from when the tables were small, and foreign keys are checked by them row by row."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM continuity_event")  # As after a quiet time, in which all events were deleted.
    found = subscribed(team)
    for _ in range(10):
        ids = say(team, "task:a")
        assert len(taken(found).items) == 1
        ack(found, ids)
    before = scanned()
    ids = say_many(team, 500)
    assert [item.event.id for item in taken(found, limit=1000).items][-500:] == ids
    assert ack(found, ids).handled == 500
    assert scanned() - before < 50
