"""Wakes the streams of this process when something happened: of what it did itself at once, of what others did by one reader of the
Valkey/Redis stream for all of them.

It only says that there may be something to read; what happened, and in which order, everybody reads from the rows. So a
broker that is away, or was emptied, loses nothing: all are woken every two seconds until it is back.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from contextvars import Context
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

from django.conf import settings
from redis.asyncio import Redis
from redis.exceptions import RedisError

from continuity.core import shutdown
from continuity.services.events import relay
from continuity.services.events.relay import STREAM, Numbered

logger = logging.getLogger("continuity.live")

BLOCK_SECONDS = 3.0
POLL_SECONDS = 2.0
# Who polls comes again soon: listening goes on for so long when the last reader left.
LINGER_SECONDS = 30.0
MOST_TOLD = 10_000


class Hub:
    """The readers of one event loop, by team. It listens while there are any, and a little longer."""

    def __init__(self) -> None:
        self._readers: dict[UUID, dict[asyncio.Event, str]] = defaultdict(dict)
        self._task: asyncio.Task[None] | None = None
        self._left_at = 0.0
        # Those of which the stream says nothing new.
        self._told_here: set[bytes] = set()

    @property
    def count(self) -> int:
        return sum(map(len, self._readers.values()))

    def count_of(self, team: UUID) -> int:
        return len(self._readers.get(team, ()))

    @contextmanager
    def reader(self, team: UUID, *, about: str = "") -> Iterator[asyncio.Event]:
        """An event that is set when there may be something to read for the team, of those events whose names begin with `about`."""
        woken = asyncio.Event()
        self._readers[team][woken] = about
        if self._task is None:
            # A context of its own: it outlives the request that happened to start it.
            self._task = asyncio.get_running_loop().create_task(self._listen(), context=Context())
        try:
            yield woken
        finally:
            self._readers[team].pop(woken, None)
            if not self._readers[team]:
                del self._readers[team]
            self._left_at = time.monotonic()
            if shutdown.begun():
                self.rest()

    def wake(self, told: Mapping[UUID, Set[str]] | None = None) -> None:
        """Wakes those who read of such events, given by team with their names, or all readers."""
        for team in list(self._readers) if told is None else told.keys() & self._readers.keys():
            for woken, about in self._readers[team].items():
                if told is None or any(name.startswith(about) for name in told[team]):
                    woken.set()

    def told_here(self, told: Mapping[UUID, Set[str]], ids: Set[bytes]) -> None:
        """Wakes readers of what this process did, before the stream says so."""
        if len(self._told_here) > MOST_TOLD:
            self._told_here.clear()
        self._told_here |= ids
        self.wake(told)

    def rest(self) -> None:
        """Ends listening at once where nobody reads."""
        if not self._readers and self._task is not None:
            self._task.cancel()

    def _is_wanted(self) -> bool:
        """Whether listening goes on. The client may swallow that its task is cancelled, so that is asked here."""
        task = asyncio.current_task()
        lingers = bool(self._readers) or time.monotonic() - self._left_at < LINGER_SECONDS
        return lingers and task is not None and not task.cancelling()

    async def _listen(self) -> None:
        client = Redis.from_url(settings.REDIS_URL, socket_connect_timeout=0.5, socket_timeout=BLOCK_SECONDS + 2)
        try:
            while self._is_wanted():
                try:
                    await self._follow(client)
                except (RedisError, OSError) as error:
                    logger.warning(
                        "The broker does not answer: streams ask by themselves", extra={"metadata": {"error": type(error).__name__}}
                    )
                    await asyncio.sleep(POLL_SECONDS)
                    self.wake()
        finally:
            self._task = None  # The next reader begins anew.
            await client.aclose()

    async def _follow(self, client: Redis) -> None:
        newest: Any = await client.xrevrange(STREAM, count=1)
        seen = newest[0][0] if newest else b"0-0"
        self.wake()  # What happened before we listened.
        while self._is_wanted():
            answer: Any = await client.xread({STREAM: seen}, count=500, block=int(BLOCK_SECONDS * 1000))
            entries = [entry for _stream, entries in answer or () for entry in entries]
            if entries:
                seen = entries[-1][0]
                told: dict[UUID, set[str]] = defaultdict(set)
                for _id, event in entries:
                    if event.get(b"id") in self._told_here:
                        self._told_here.discard(event[b"id"])
                    elif event.get(b"team"):
                        told[UUID(event[b"team"].decode())].add(event.get(b"name", b"").decode())
                self.wake(told)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def _wake_all() -> None:
    """Lets streams end when the process is asked to: a server waits for what it has open, and a stream would never be done."""
    for loop, each in list(_hubs.items()):
        if not loop.is_closed():
            loop.call_soon_threadsafe(each.wake)
            loop.call_soon_threadsafe(each.rest)


def _notify(events: Sequence[Numbered]) -> None:
    """Called by whatever thread published."""
    told: dict[UUID, set[str]] = defaultdict(set)
    for event in events:
        if event.team is not None:
            told[event.team].add(event.name)
    ids = {str(event.id).encode() for event in events}
    for loop, each in list(_hubs.items()):
        if any(map(each.count_of, told)):
            with suppress(RuntimeError):  # It was closed meanwhile.
                loop.call_soon_threadsafe(each.told_here, told, ids)


shutdown.on_shutdown(_wake_all)
relay.listen(_notify)


def hub() -> Hub:
    """The hub of the running event loop."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())


def open_streams(team: UUID) -> tuple[int, int]:
    """How many streams this process holds open: the team's, and all. May be asked from any thread."""
    hubs = list(_hubs.values())
    return sum(each.count_of(team) for each in hubs), sum(each.count for each in hubs)
