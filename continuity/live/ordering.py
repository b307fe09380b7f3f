"""A long poll that answers as soon as somebody is ordered something, so that no runner has to wait for its next heartbeat.

It carries no orders: who is told beats at once, and gets them with the answer, as always.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from functools import partial

from django.db import DatabaseError
from django.http import HttpRequest, StreamingHttpResponse

from continuity.core import shutdown
from continuity.live.hub import hub
from continuity.live.stream import HEARTBEAT_SECONDS, check_room, give_back, has_woken, read
from continuity.models import Team
from continuity.services.agents import orders

LONGEST_WAIT = 55.0
# Every order is written with an event about an agent; of those there may be many, too: it looks once in so long.
ABOUT = "agent."
REST_SECONDS = 0.1


def respond(request: HttpRequest, *, team: Team, runner: str, agent: str, wait: float) -> StreamingHttpResponse:
    """`{"agents": [names]}`, empty where the time is over. Raises TooMany and AllStreamsTaken."""
    check_room(team)
    give_back()
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    body = ordered(team, runner=runner, agent=agent, wait=min(wait, LONGEST_WAIT))
    return StreamingHttpResponse(body, content_type="application/json", headers=headers)


async def ordered(team: Team, *, runner: str, agent: str, wait: float) -> AsyncGenerator[bytes, None]:
    """What was open when it began was told with a beat; who is told are those with anything else."""
    look = partial(orders.open_ids, team=team, runner=runner, agent=agent)
    ends, known, told = time.monotonic() + wait, None, set[str]()
    with hub().reader(team.id, about=ABOUT) as woken:
        try:
            while True:
                woken.clear()
                looked = time.monotonic()
                found = await read(look)
                known = found if known is None else known
                told = {name for id, name in found.items() if id not in known}
                left = ends - time.monotonic()
                if told or left <= 0 or shutdown.begun():
                    break
                if await has_woken(woken, min(left, HEARTBEAT_SECONDS)):
                    await asyncio.sleep(max(0.0, min(left, looked + REST_SECONDS - time.monotonic())))
                else:
                    yield b" "  # It keeps the connection alive.
        except DatabaseError:
            told = set()
    yield json.dumps({"agents": sorted(told)}).encode()
