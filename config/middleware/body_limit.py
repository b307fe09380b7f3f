"""Refuses a request that is too large where it arrives: Django would keep all of it on disk before it looks at its size."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from django.conf import settings

from config.middleware import refusals
from continuity.core.errors import TooLarge

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[..., Awaitable[None]]

UPLOADS, MCP = "/import", "/mcp"
# What surrounds a file, the form's other fields and its boundaries; or the words of a call.
SURROUNDINGS = 1024 * 1024


def limited(site: Application) -> Application:
    """The site behind a limit: of an upload where one is taken, of a batch elsewhere. Both are 413 and name it."""

    async def application(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await site(scope, receive, send)
            return
        limit, received, started = _limit(scope["path"]), 0, False
        if _announced(scope) > limit:
            await _refuse(scope, limit, send)
            return

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            # As if the caller went away: Django drops what it kept, and answers nothing.
            return message if received <= limit else {"type": "http.disconnect"}

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        await site(scope, counted, watched)
        if received > limit and not started:
            await _refuse(scope, limit, send)

    return application


def _limit(path: str) -> int:
    """Bytes that a request to this path may have."""
    if path.rstrip("/") == MCP:
        return int(settings.CONTINUITY_MAX_MESSAGE_BYTES) + SURROUNDINGS
    taken = settings.CONTINUITY_MAX_UPLOAD_BYTES if path.rstrip("/").endswith(UPLOADS) else settings.CONTINUITY_MAX_BATCH_BYTES
    return int(taken) + SURROUNDINGS


def _announced(scope: MutableMapping[str, Any]) -> int:
    length = next((value for name, value in scope["headers"] if name.lower() == b"content-length"), b"0")
    return int(length) if length.isdigit() else 0


async def _refuse(scope: MutableMapping[str, Any], limit: int, send: Send) -> None:
    for message in refusals.messages(scope, TooLarge(noun="The request", size="more bytes", limit=f"{limit - SURROUNDINGS:,} bytes")):
        await send(message)
