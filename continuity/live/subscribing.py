"""The events of one subscription as they come: a long poll that answers once, or a stream that goes on.

As with the live stream, no database connection is held while waiting. Nothing is handed over before the reader can be told.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.db import DatabaseError, OperationalError
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone

from continuity.core import shutdown
from continuity.core.errors import DomainError
from continuity.live import wire
from continuity.live.event_json import NOT_LOOKED, all_as_json, frame, problem_of, refusal
from continuity.live.hub import hub
from continuity.live.stream import BUSY_SECONDS, HEARTBEAT_SECONDS, LIFE_SECONDS, RETRY_SECONDS, check_room, give_back, has_woken, read
from continuity.models import Team
from continuity.services.subscriptions import bus_sql, event_delivery, meters
from continuity.services.subscriptions.event_delivery import TakenEvents

LONGEST_WAIT = 60.0
# Two threads serve all streams: none of them waits for long for one team's rows.
LOCK_WAIT = timedelta(milliseconds=250)
# Nobody tells when a subscriber may hold more again.
SOON_SECONDS = 0.25
# So long a reader that does not wait is kept where it can't be said yet that there is nothing for it.
LOOKING_SECONDS = 10.0


def poll(
    request: HttpRequest, *, team: Team, subscription_id: UUID, wait: float, limit: int, epoch: int | None, lease: timedelta
) -> StreamingHttpResponse:
    """One JSON answer, as soon as there is something or the time is over; spaces before it keep the connection alive meanwhile."""
    check_room(team)
    give_back()
    body = _once(_Reader(team, subscription_id, limit, epoch, lease), min(wait, LONGEST_WAIT))
    return StreamingHttpResponse(body, content_type="application/json", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


def follow(
    request: HttpRequest, *, team: Team, subscription_id: UUID, limit: int, epoch: int | None, lease: timedelta
) -> StreamingHttpResponse:
    """Server-sent events until the reader goes: `id` is the position, `event` the topic, `data` the event."""
    check_room(team)
    give_back()
    body = _stream(_Reader(team, subscription_id, limit, epoch, lease))
    return StreamingHttpResponse(body, content_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


class _Reader:
    """Takes events for a subscription; remembers up to where it looked, so that looking again costs two small statements where nothing
    came."""

    def __init__(self, team: Team, subscription_id: UUID, limit: int, epoch: int | None, lease: timedelta) -> None:
        self.team, self.id, self.limit, self.epoch, self.lease = team, subscription_id, limit, epoch, lease
        self.position = -1
        self.next_due: datetime | None = None
        # What was published before the reader asked for more waited for the reader.
        self.waiting_since = timezone.now()
        self.soon = False

    async def take(self, *, woken: bool) -> TakenEvents:
        """`woken`: something happened in the team, so that looking whether anything did can be spared."""
        taken: TakenEvents = await read(partial(self._take, woken))
        self.note(taken)
        return taken

    def note(self, taken: TakenEvents) -> None:
        self.position, self.next_due, self.soon = taken.position, taken.next_due, taken.soon
        if taken.soon:
            self.waiting_since = timezone.now()  # It holds what it can, or its own row was busy: what comes meanwhile waits for it.

    def _take(self, woken: bool) -> TakenEvents:
        now = timezone.now()
        known = self.position >= 0 and not woken
        if known and not event_delivery.has_news(team=self.team, subscription_id=self.id, position=self.position, now=now):
            event_delivery.touch_presence(team=self.team, subscription_id=self.id, now=now, epoch=self.epoch)
            return TakenEvents([], self.position, None, self.next_due)
        asked: dict[str, Any] = {"limit": self.limit, "epoch": self.epoch, "lease": self.lease, "waiting_since": self.waiting_since}
        try:
            return event_delivery.take(team=self.team, subscription_id=self.id, now=now, patience=LOCK_WAIT, **asked)
        except OperationalError as error:
            if not bus_sql.is_held(error):
                raise
            return TakenEvents([], self.position, None, self.next_due, more=True, soon=True)

    def patience(self, left: float) -> float:
        """Seconds to wait for news: until something comes again, at most."""
        due = HEARTBEAT_SECONDS if self.next_due is None else (self.next_due - timezone.now()).total_seconds()
        return max(0.05, min(left, due, SOON_SECONDS if self.soon else HEARTBEAT_SECONDS))


async def _once(reader: _Reader, wait: float) -> AsyncGenerator[bytes, None]:
    """It says that there is nothing only where all was looked at: who replays what it missed takes that for the present."""
    ends, news = time.monotonic() + wait, True
    given_up = max(ends, time.monotonic() + LOOKING_SECONDS)
    with hub().reader(reader.team.id) as woken:
        try:
            while True:
                woken.clear()
                taken = await reader.take(woken=news)
                left = (given_up if taken.more else ends) - time.monotonic()
                is_over = left <= 0 or shutdown.begun()
                if taken.items or taken.gap or (is_over and not taken.more):
                    yield await _answer(taken)
                    return
                if is_over:
                    yield refusal(NOT_LOOKED)
                    return
                yield b" "
                news = _goes_on(taken) or await has_woken(woken, reader.patience(left))
        except (DomainError, DatabaseError) as error:
            yield refusal(problem_of(error))


async def _stream(reader: _Reader) -> AsyncGenerator[bytes, None]:
    ends, news = time.monotonic() + LIFE_SECONDS, True
    with hub().reader(reader.team.id) as woken:
        try:
            yield wire.opening(retry_seconds=RETRY_SECONDS)
            while time.monotonic() < ends and not shutdown.begun():
                woken.clear()
                taken = await reader.take(woken=news)
                if taken.gap:
                    yield f"event: gap\ndata: {json.dumps({'through': taken.gap})}\n\n".encode()
                if taken.items:
                    rows = all_as_json(taken.items)
                    yield b"".join(frame(row) for row in rows)
                    reader.waiting_since = timezone.now()
                    await _count(rows)
                news = _goes_on(taken) or len(taken.items) >= reader.limit
                if not news:
                    # What came since the reader looked has woken it already.
                    news = await has_woken(woken, reader.patience(ends - time.monotonic()))
                    if not news:
                        yield wire.HEARTBEAT
        except (DomainError, DatabaseError) as error:
            yield f"retry: {BUSY_SECONDS * 1000}\nevent: problem\ndata: {json.dumps(problem_of(error))}\n\n".encode()


def _goes_on(taken: TakenEvents) -> bool:
    """Whether to look on at once; where its row is held, looking again at once would keep one of the two threads from all others."""
    return taken.more and not taken.soon


async def _answer(taken: TakenEvents) -> bytes:
    rows = all_as_json(taken.items)
    await _count(rows)
    return json.dumps({"items": rows, "gap": taken.gap, "position": max(0, taken.position), "problem": None}).encode()


async def _count(rows: Sequence[dict[str, Any]]) -> None:
    """Counts what was handed over, after it went out where that can be."""
    if rows:
        await read(partial(meters.handed_out, [row["after_ms"] for row in rows if row["after_ms"] is not None], len(rows)))
