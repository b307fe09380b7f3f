"""Asking for events without waiting: that there is nothing is said only where all was looked at, since a replay ends with it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from continuity.core import shutdown
from continuity.events import delays
from continuity.live import subscribing
from continuity.models import Subscription, Team
from continuity.services.subscriptions import event_scan
from tests.events.test_bus import say, subscribed
from tests.events.test_load import held

pytestmark = pytest.mark.django_db(transaction=True)


async def asked(found: Subscription) -> Any:
    """The answer to one question that waits for nothing."""
    reader = subscribing._Reader(found.team, found.id, 100, None, delays.LEASE)
    return json.loads(b"".join([piece async for piece in subscribing._once(reader, 0)]))


def test_it_works(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it wants lies behind more events than are looked at in one go."""
    monkeypatch.setattr(event_scan, "SCAN", 10)
    found = subscribed(team)
    say(team, *["note:a"] * 99, "task:a")
    told = asyncio.run(asked(found))
    assert ([event["topic"] for event in told["items"]], told["problem"]) == (["task:a"], None)
    again = asyncio.run(asked(found))
    assert (again["items"], again["problem"]) == ([], None)


def test_an_event_is_not_missed_while_somebody_holds_the_row(team: Team) -> None:
    found = subscribed(team)
    say(team, "task:a")

    async def story() -> Any:
        with held(found):
            asking = asyncio.create_task(asked(found))
            await asyncio.sleep(1)
            assert not asking.done()
        return await asking

    told = asyncio.run(story())
    assert ([event["topic"] for event in told["items"]], told["problem"]) == (["task:a"], None)


@pytest.mark.parametrize("ends", [False, True], ids=["too-long", "shutting-down"])
def test_what_could_not_be_looked_at_is_no_empty_answer(team: Team, ends: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscribing, "LOOKING_SECONDS", 60 if ends else 0.1)
    monkeypatch.setattr(shutdown, "begun", lambda: ends)
    found = subscribed(team)
    say(team, "task:a")
    with held(found):
        told = asyncio.run(asked(found))
    assert (told["items"], told["problem"]["status"], told["problem"]["code"]) == ([], 503, "unavailable")
