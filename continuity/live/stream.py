"""The body of one stream: replay from the rows, then wait; no database connection is held while waiting."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial
from typing import TypeVar

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, connections
from django.http import HttpRequest, StreamingHttpResponse

from continuity.core import deadlines, shutdown
from continuity.core.errors import AllStreamsTaken, TooMany
from continuity.live import wire
from continuity.live.hub import hub, open_streams
from continuity.models import Team
from continuity.services.events import event_replay

T = TypeVar("T")

HEARTBEAT_SECONDS = 15.0
# After this a reader has to come again, and to show once more that it may.
LIFE_SECONDS = 300.0
RETRY_SECONDS = 1.0
BUSY_SECONDS = 10
BATCH = 200

# Two reads at a time for all streams. Each thread keeps the connection that it borrowed for a query, where the pool has so many: to borrow
# one takes as long as to hand out an event.
_threads = ThreadPoolExecutor(2, thread_name_prefix="live")
KEPT_SECONDS, ENOUGH = 5.0, 12
# One that broke meanwhile says so soon; a store that hangs is not asked twice.
BROKEN_SECONDS = 1.0


class _Used(threading.local):
    """The time at which this thread used its connection last."""

    at: float | None = None


_used = _Used()


def respond(request: HttpRequest, *, team: Team, named: bool) -> StreamingHttpResponse:
    """The stream of the team's events after `Last-Event-ID`. Raises TooMany (429) and AllStreamsTaken (503)."""
    check_room(team)
    seen = wire.position_of(request.headers.get("Last-Event-ID") or request.GET.get("last_event_id", ""))
    give_back()  # What let the reader in; the request lasts for minutes and must not keep it.
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(body(team, seen, named=named), content_type="text/event-stream", headers=headers)


def check_room(team: Team) -> None:
    """Raises TooMany (429) and AllStreamsTaken (503) where no stream may be opened for the team."""
    of_team, all_ = open_streams(team.id)
    if of_team >= settings.CONTINUITY_MAX_STREAMS_PER_TEAM:
        raise TooMany(limit=settings.CONTINUITY_MAX_STREAMS_PER_TEAM, noun="open event streams of a team", retry_after=BUSY_SECONDS)
    if all_ >= settings.CONTINUITY_MAX_STREAMS:
        raise AllStreamsTaken(limit=settings.CONTINUITY_MAX_STREAMS, retry_after=BUSY_SECONDS)


async def body(team: Team, seen: int | None, *, named: bool) -> AsyncGenerator[bytes, None]:
    """The bytes of the stream, until it goes or its time is over; a store that is away ends it, and the reader comes again."""
    ends = time.monotonic() + LIFE_SECONDS
    with hub().reader(team.id) as woken:
        try:
            yield wire.opening(retry_seconds=RETRY_SECONDS)
            position, missed = await read(partial(event_replay.resume_from, seen))
            yield wire.at_position("reset" if missed else "ready", position)
            while time.monotonic() < ends and not shutdown.begun():
                woken.clear()
                events = await read(partial(event_replay.after, team=team, position=position, limit=BATCH))
                for event in events:
                    position = event.position or position
                    yield wire.event_frame(id=event.id, name=event.name, position=position, about=event_replay.ids_in(event), named=named)
                if len(events) < BATCH and not await has_woken(woken, HEARTBEAT_SECONDS):
                    yield wire.HEARTBEAT
        except DatabaseError:
            yield wire.opening(retry_seconds=BUSY_SECONDS)


async def has_woken(woken: asyncio.Event, seconds: float) -> bool:
    """Waits for news; False where there were none for so long."""
    try:
        async with asyncio.timeout(seconds):
            await woken.wait()
    except TimeoutError:
        return False
    return True


async def read(query: Callable[[], T]) -> T:
    """Run a query in a thread that has a connection for it."""
    return await asyncio.get_running_loop().run_in_executor(_threads, copy_context().run, _asked, query)


def _asked(query: Callable[[], T]) -> T:
    kept = _used.at is not None and time.monotonic() - _used.at < KEPT_SECONDS
    if not kept:
        give_back()  # It may be broken by now; who lends it looks.
    begun = time.monotonic()
    try:
        return _within_time(query)
    except (DatabaseError, InterfaceError):
        if not kept or time.monotonic() - begun > BROKEN_SECONDS or connection.is_usable():
            raise
        give_back()
        return _within_time(query)
    finally:
        if keeps_connections():
            _used.at = time.monotonic()
        else:
            give_back()


def _within_time(query: Callable[[], T]) -> T:
    # The request's own deadline was for the beginning of its answer.
    with deadlines.within(settings.CONTINUITY_REQUEST_SECONDS):
        return query()


@cache
def keeps_connections() -> bool:
    """Whether the two threads may keep theirs for a while: enough are left for all else."""
    pool = settings.DATABASES["default"].get("OPTIONS", {}).get("pool")
    return isinstance(pool, dict) and pool.get("max_size", 0) >= ENOUGH


def give_back() -> None:
    """Returns this thread's connection to the pool."""
    for each in connections.all(initialized_only=True):
        if not each.in_atomic_block:
            each.close()
