"""What the client tells of its work: an event that its handler works on is nobody else's, and one that it handled is not handled twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

import pytest

from continuity.client.events import ReceivedEvent, Subscriber
from continuity.models import Acknowledgement, DeadLetter, Delivery, Team
from tests.events.subscriber.serving_events import bus
from tests.events.test_bus import say

pytestmark = pytest.mark.django_db(transaction=True)
LEASE = 1.0


@contextmanager
def running(subscriber: Subscriber) -> Iterator[None]:
    thread = threading.Thread(target=subscriber.run)
    thread.start()
    try:
        assert subscriber.wait_until_begun(20)
        yield
    finally:
        subscriber.stop()
        thread.join(30)
    assert not thread.is_alive()


def until(so: Callable[[], bool]) -> None:
    ends = time.monotonic() + 30
    while not so():
        assert time.monotonic() < ends
        time.sleep(0.02)


def attempts_of(id: UUID) -> int:
    return Acknowledgement.objects.get(event=id).attempts


def test_it_works(team: Team) -> None:
    """While a handler works, and while an event waits for it, the server is told so: neither is given again."""
    handled: list[str] = []
    with bus(team) as there:
        subscriber = there.subscriber("slow", LEASE)

        @subscriber.on("task:*")
        def slowly(event: ReceivedEvent) -> None:
            time.sleep(2.5 * LEASE)
            handled.append(event.id)

        with running(subscriber):
            first, second = say(team, "task:a", "task:b")
            until(lambda: Acknowledgement.objects.count() == 2)
        working = [ack["event_id"] for ack in there.acks if ack["outcome"] == "working"]
    assert handled == [str(first), str(second)]
    assert (attempts_of(first), attempts_of(second)) == (1, 1)
    assert min(working.count(str(first)), working.count(str(second))) >= 3


def test_what_was_handled_is_not_handled_again(team: Team) -> None:
    """Though it comes again, as nobody heard of that."""
    handled: list[tuple[str, int]] = []
    with bus(team) as there:
        subscriber = there.subscriber("twice", LEASE)
        subscriber.on("task:*")(lambda event: handled.append((event.id, event.attempt)))
        with running(subscriber):
            there.away = True
            (id,) = say(team, "task:a")
            until(lambda: bool(handled))
            until(lambda: Delivery.objects.filter(event=id, attempts__gte=2).exists())
            time.sleep(0.3)
            there.away = False
            until(lambda: Acknowledgement.objects.filter(event=id).exists())
    assert handled == [(str(id), 1)]
    assert attempts_of(id) >= 2
    assert {ack["outcome"] for ack in there.acks} == {"handled"}
    assert not (Delivery.objects.exists() or DeadLetter.objects.exists())


def test_what_failed_is_handled_again(team: Team) -> None:
    attempts: list[int] = []
    with bus(team) as there:
        subscriber = there.subscriber("failing", LEASE)

        @subscriber.on("task:*")
        def once(event: ReceivedEvent) -> None:
            attempts.append(event.attempt)
            if event.attempt == 1:
                raise ValueError

        with running(subscriber):
            say(team, "task:a")
            until(lambda: Acknowledgement.objects.exists())
    assert attempts == [1, 2]
    assert [ack.get("error") for ack in there.acks if ack["outcome"] == "failed"] == ["ValueError"]
