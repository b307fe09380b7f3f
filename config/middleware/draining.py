"""Graceful shutdown of a web process: it says so while its port is open, finishes its requests, then closes.

The server itself closes its port at once. So its signal is taken from it, and given back when nothing is left to answer.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
import time
from contextlib import suppress

from django.conf import settings

from config.middleware import refusals
from config.middleware.request_watch import Application, Message, Receive, Scope, Send
from config.middleware.time_limit import Site
from continuity.core import shutdown
from continuity.core.errors import Stopping

logger = logging.getLogger("continuity.web")

# For requests at hand. Those that only work are answered before, by their deadline; a large upload may be cut off.
LONGEST_SECONDS = 30.0
RETRY_SECONDS = 5
# The last step of addresses where something new begins. What exists is served until the port closes.
BEGINNINGS = {
    "POST": frozenset({"conversations", "import", "handoffs", "prepare", "remake", "resume", "packages", "audit"}),
    "GET": frozenset({"stream", "live"}),
}


class Draining:
    """The site, which stops in order on SIGTERM. `at_hand` is waited for; `site` is called where something stands before that."""

    def __init__(self, at_hand: Site, site: Application | None = None) -> None:
        self._limits = at_hand
        self._site = site or at_hand
        self._hears = False
        self._task: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._hears:
            self._hears = True
            self._hear_the_end()
        if not shutdown.begun() or scope["type"] != "http":
            await self._site(scope, receive, send)
        elif scope["path"].rstrip("/").rpartition("/")[2] in BEGINNINGS.get(scope["method"], ()):
            for message in refusals.messages(scope, Stopping(retry_after=RETRY_SECONDS)):
                await send(message)
        else:
            await self._site(scope, receive, _last_on_its_connection(send))

    def _hear_the_end(self) -> None:
        """Takes SIGTERM from the server, whose SIGINT means the same. The supervisor asks before anybody else, so this is early enough."""
        if threading.current_thread() is threading.main_thread():
            with suppress(NotImplementedError):
                asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._begin)

    def _begin(self) -> None:
        if self._task is None:
            shutdown.begin()
            self._task = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        began = time.monotonic()
        logger.info("Asked to stop: nothing new begins, %d requests are at hand", len(self._limits.at_hand))
        while self._is_waited_for(time.monotonic() - began):
            await asyncio.sleep(0.05)
        for cut in list(self._limits.unanswered()):
            seconds = round(time.monotonic() - cut.begun_at, 1)
            logger.warning(
                "A request is cut off by stopping", extra={"metadata": {"method": cut.method, "path": cut.path, "seconds": seconds}}
            )
        os.kill(os.getpid(), signal.SIGINT)

    def _is_waited_for(self, seconds: float) -> bool:
        return seconds < settings.CONTINUITY_DRAIN_SECONDS or (seconds < LONGEST_SECONDS and any(self._limits.unanswered()))


def _last_on_its_connection(send: Send) -> Send:
    """Closes the connection behind the answer, so that the next request goes to another process."""

    async def closing(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        await send(message)

    return closing
