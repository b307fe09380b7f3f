"""Who waits for orders hears of each at once, and of nothing else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import aclosing
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.utils import timezone

from continuity.agents.names import OrderKind
from continuity.agents.strategies import FailureCause
from continuity.live import ordering
from continuity.live.hub import Hub, hub
from continuity.live.stream import has_woken
from continuity.models import Team
from continuity.services.agents import orders, recovery
from continuity.services.recording import conversations
from tests.agents.conftest import no_beats_of_before, runner
from tests.agents.runner import Runner

__all__ = ["no_beats_of_before", "runner"]

pytestmark = pytest.mark.django_db(transaction=True)


class Quiet(Hub):
    """Tells of nothing by itself."""

    async def _listen(self) -> None:
        return None


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> Quiet:
    made = Quiet()
    monkeypatch.setattr(ordering, "hub", lambda: made)
    return made


def order(team: Team, name: str) -> Callable[[], None]:
    def work() -> None:
        try:
            orders.give(team=team, name=name, kind=OrderKind.SAVE_STATE, by="a test", now=timezone.now())
        finally:
            connections.close_all()

    return work


async def told(team: Team, quiet: Quiet, *meanwhile: Callable[[], None], wait: float, **whose: str) -> list[str]:
    """What one is told who asks, while these things happen after it looked first."""
    asked = {"runner": "", "agent": "", **whose}

    async def all_of_it() -> bytes:
        async with aclosing(ordering.ordered(team, wait=wait, **asked)) as body:
            return b"".join([part async for part in body])

    waiting = asyncio.ensure_future(all_of_it())
    await asyncio.sleep(0.3)
    for each in meanwhile:
        await sync_to_async(each, thread_sensitive=False)()
        quiet.wake()
    async with asyncio.timeout(20):
        found: list[str] = json.loads(await waiting)["agents"]
        return found


def test_it_works(team: Team, quiet: Quiet, runner: Runner) -> None:
    runner.start("a", "b")
    assert asyncio.run(told(team, quiet, order(team, "b"), wait=30, runner=runner.name)) == ["b"]


def test_what_was_open_before_is_told_with_heartbeats(team: Team, quiet: Quiet, runner: Runner) -> None:
    runner.start("a", "b")
    order(team, "a")()
    assert asyncio.run(told(team, quiet, wait=0.5, runner=runner.name)) == []
    assert asyncio.run(told(team, quiet, order(team, "b"), wait=30, runner=runner.name)) == ["b"]


def test_orders_of_others_are_none_of_its_business(team: Team, quiet: Quiet, other_team: Team, runner: Runner) -> None:
    theirs, elsewhere, alone = Runner(other_team), Runner(team, name="elsewhere"), Runner(team, name="")
    for each, name in ((runner, "a"), (theirs, "a"), (elsewhere, "b"), (alone, "c")):
        each.start(name)
    given = [order(other_team, "a"), order(team, "b")]
    assert asyncio.run(told(team, quiet, *given, wait=1, runner=runner.name)) == []
    assert asyncio.run(told(team, quiet, order(team, "a"), order(team, "c"), wait=30, agent="c")) == ["c"]


def test_each_order_comes_with_an_event_that_wakes_it_and_others_do_not(team: Team, runner: Runner) -> None:
    """By the stream itself. Who looked for what happens beside would rest when the order comes."""
    runner.start("a", "b")

    def killed() -> None:
        shown = {"epoch": runner.known["b"]["epoch"], "instance": UUID(runner.known["b"]["instance"])}
        recovery.ended(team=team, name="b", cause=FailureCause.KILLED, now=timezone.now(), **shown)
        connections.close_all()

    def said() -> None:
        conversations.create(team=team)
        connections.close_all()

    async def story() -> list[bool]:
        found = []
        with hub().reader(team.id, about=ordering.ABOUT) as woken:
            await asyncio.sleep(0.5)
            for each in (said, order(team, "a"), killed):
                woken.clear()
                await sync_to_async(each, thread_sensitive=False)()
                found.append(await has_woken(woken, 0.5 if each is said else 20.0))
        return found

    assert asyncio.run(story()) == [False, True, True]
