"""A reader of a stream, in this process: what the server would send, event by event."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connections

from continuity.live import stream
from continuity.models import Team
from continuity.services.recording import conversations

PATIENCE = 30.0


@dataclass(frozen=True)
class Heard:
    """One event of the stream; `name` is empty where the stream does not name events."""

    id: int
    name: str
    data: dict[str, Any]


def parse(chunk: bytes) -> Heard | None:
    fields = dict(line.split(": ", 1) for line in chunk.decode().splitlines() if line and not line.startswith(":"))
    return Heard(int(fields["id"]), fields.get("event", ""), json.loads(fields["data"])) if "id" in fields else None


async def heard(body: AsyncGenerator[bytes, None]) -> Heard:
    """The next event; waits for it, over heartbeats."""
    async with asyncio.timeout(PATIENCE):
        async for chunk in body:
            if event := parse(chunk):
                return event
    raise AssertionError("the stream ended")


async def say(team: Team, title: str = "") -> str:
    """Something happens, in another thread, as in another request."""

    def opened() -> str:
        try:
            return str(conversations.create(team=team, title=title).id)
        finally:
            connections.close_all()

    return await sync_to_async(opened, thread_sensitive=False)()


def listening(
    team: Team, seen: int | None, story: Callable[[AsyncGenerator[bytes, None]], Coroutine[Any, Any, None]], *, named: bool = True
) -> None:
    """Runs a story with a reader that is there from its beginning."""

    async def run() -> None:
        async with aclosing(stream.body(team, seen, named=named)) as body:
            await story(body)

    asyncio.run(run())
