"""How often a stream looks for events."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from continuity.events import delays
from continuity.live import subscribing
from continuity.live.hub import Hub
from continuity.models import Subscription, Team
from continuity.services.subscriptions.event_delivery import TakenEvents
from tests.events.test_bus import say, subscribed

pytestmark = pytest.mark.django_db(transaction=True)


class Quiet(Hub):
    """Tells of nothing by itself."""

    async def _listen(self) -> None:
        return None


class Counting(subscribing._Reader):
    looked = 0

    async def take(self, *, woken: bool) -> TakenEvents:
        self.looked += 1
        return await super().take(woken=woken)


def counting(found: Subscription, limit: int) -> Counting:
    return Counting(found.team, found.id, limit, None, delays.LEASE)


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> Quiet:
    made = Quiet()
    monkeypatch.setattr(subscribing, "hub", lambda: made)
    return made


def publish(team: Team) -> None:
    try:
        say(team, "task:late")
    finally:
        connections.close_all()


def test_it_works(team: Team, quiet: Quiet) -> None:
    """After it handed over what there was, a stream looks again when it is told that there is more, and not before."""
    reader = counting(subscribed(team), 100)
    say(team, *["task:a"] * 3)

    async def story() -> None:
        async with aclosing(subscribing._stream(reader)) as body:
            await anext(body)
            assert (await anext(body)).count(b"event: task:a") == 3
            following = asyncio.ensure_future(anext(body))
            await asyncio.wait({following}, timeout=0.5)
            assert reader.looked == 1
            await sync_to_async(publish, thread_sensitive=False)(team)
            quiet.wake()
            assert b"event: task:late" in await following
            assert reader.looked == 2

    asyncio.run(story())


def test_more_than_it_may_hand_over_at_once_comes_without_waiting(team: Team, quiet: Quiet) -> None:
    reader = counting(subscribed(team), 2)
    say(team, *["task:a"] * 5)

    async def story() -> list[int]:
        async with aclosing(subscribing._stream(reader)) as body, asyncio.timeout(10):
            await anext(body)
            return [(await anext(body)).count(b"event: task:a") for _ in range(3)]

    assert asyncio.run(story()) == [2, 2, 1]
