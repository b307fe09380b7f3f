"""States of agents: packed, saved and restored, in each storage that keeps them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.conf import settings
from django.utils import timezone

from continuity.models import Team
from continuity.services import agent_state
from continuity.storage import packing
from diagnostics.bench import scenarios
from diagnostics.bench.rows import BenchRow, row, timed

AGENT = "bench"
STORAGES = ("postgres", "file", "redis")
TURNS, LARGE = 100, 500_000
_LINE = "The tide table of Husum is read, and the next one is Büsum. "


def measured(team: Team, n: int) -> Iterator[BenchRow]:
    for size in (1_000, 10_000):
        yield row(f"serialise a state of {size // 1000} KB", [timed(partial(_serialise, state(size))) for _ in range(n)], specified_ms=50)
    for storage in STORAGES:
        with _settings(STORAGE_TYPE=storage):
            yield from _stored(team, n, storage)
    with _settings(AGENT_STATE_MESSAGE_HISTORY=TURNS):
        _save(team, state(LARGE, TURNS))
        samples = [timed(partial(agent_state.begin, team=team, agent=AGENT, epoch=1, now=timezone.now())) for _ in range(n)]
        yield row("restore the state of an agent, 100 turns and 500 KB", samples, specified_ms=100, target_ms=100)
        agent_state.remove(team=team, agent=AGENT)
    yield from scenarios.restore(team, n)


def _stored(team: Team, n: int, storage: str) -> Iterator[BenchRow]:
    saves, gets = [], []
    for number in range(n):
        present = state(5_000, 10, number)
        saves.append(timed(partial(_save, team, present)))
        gets.append(timed(partial(agent_state.load, team=team, agent=AGENT)))
    agent_state.remove(team=team, agent=AGENT)
    yield row(f"save a state of 5 KB, {storage}", saves, specified_ms=50, target_ms=50)
    yield row(f"get a state of 5 KB, {storage}", gets, specified_ms=100, target_ms=100)


def state(size: int, turns: int = 1, number: int = 0) -> dict[str, Any]:
    """About so many bytes: `turns` turns of two messages have half of them, the context the other."""
    words = _LINE * (size // (4 * turns) // len(_LINE) + 1)
    said = words[: max(1, size // (4 * turns) - 40)]
    messages = [{"role": role, "content": said} for _ in range(turns) for role in ("user", "assistant")]
    noted = {f"step {at}": _LINE for at in range(size // 2 // (len(_LINE) + 12))}
    return {"config": {"model": "bench"}, "context": {"number": number, "noted": noted}, "messages": messages}


def _serialise(present: dict[str, Any]) -> None:
    packing.pack(present, history=settings.AGENT_STATE_MESSAGE_HISTORY, limit=settings.AGENT_STATE_MAX_SIZE_BYTES)


def _save(team: Team, present: dict[str, Any]) -> None:
    agent_state.save(team=team, agent=AGENT, epoch=1, state=present, now=timezone.now())


@contextmanager
def _settings(**chosen: Any) -> Iterator[None]:
    """Other settings for a while, in this process."""
    before = {name: getattr(settings, name) for name in chosen}
    try:
        for name, value in chosen.items():
            setattr(settings, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(settings, name, value)
