"""How many requests are answered, and how many fail for a reason of ours (FR-043, `error_rate`): told to Valkey once in five seconds."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from django.utils import timezone

from config.middleware.request_watch import Application, Message, Receive, Scope, Send
from continuity.services.subscriptions import meters

# Whoever watches the process is no load, and would thin the errors out.
NOT_COUNTED = frozenset({"/health", "/ready", "/metrics"})
TELL_SECONDS = 5.0
FAILED = 500


class RequestTally:
    """The site, whose answers are counted; those that a client caused (4xx) are no errors."""

    def __init__(self, site: Application) -> None:
        self._site = site
        self._requests = self._errors = 0
        self._told_at = 0.0
        self._telling: asyncio.Future[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in NOT_COUNTED:
            await self._site(scope, receive, send)
            return

        async def counting(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.count(message["status"])
            await send(message)

        await self._site(scope, receive, counting)

    def count(self, status: Any) -> None:
        """Called in the event loop; what is counted goes out in a thread, so that nobody waits for Valkey."""
        self._requests += 1
        self._errors += status >= FAILED
        now = time.monotonic()
        if now - self._told_at >= TELL_SECONDS and (self._telling is None or self._telling.done()):
            self._told_at = now
            requests, self._requests = self._requests, 0
            errors, self._errors = self._errors, 0
            self._telling = asyncio.get_running_loop().run_in_executor(None, _report, requests, errors)


def _report(requests: int, errors: int) -> None:
    meters.answered(requests=requests, errors=errors, now=timezone.now())
