"""One request and its answer, watched on their way: whether the request arrives in time, and whether its answer has begun."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from django.conf import settings

from continuity.core.deadlines import Deadline

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[..., Awaitable[None]]

GONE: Message = {"type": "http.disconnect"}


class Exchange:
    """Takes the place of the server's own `receive` and `send` for the site.

    `deadline` is when the answer must have begun. A request that is still on its way moves it: it has a bound of its own.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.method, self.path = str(scope["method"]), str(scope["path"])
        self.begun_at = time.monotonic()
        self.deadline = Deadline(self.begun_at + settings.CONTINUITY_REQUEST_SECONDS)
        self.arrived = self.arriving = self.too_slow = self.started = self.over = False
        self._receive, self._send = receive, send
        self._received = 0
        self._answering: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def receive(self) -> Message:
        """The next part of the request. One that comes too slowly ends as if its sender had gone: the site keeps nothing of it."""
        if self.over or self.too_slow:
            return GONE
        if self.arrived:
            return await self._receive()  # Nothing more comes but that the caller goes.
        self.arriving = True
        try:
            async with asyncio.timeout(self._seconds_to_arrive()):
                message = await self._receive()
        except TimeoutError:
            self.too_slow = True
            return GONE
        self._received += len(message.get("body", b""))
        if not message.get("more_body", False):
            self.arrived, self.arriving = True, False
            self.deadline.at = time.monotonic() + settings.CONTINUITY_REQUEST_SECONDS
        return message

    def _seconds_to_arrive(self) -> float:
        earned = settings.CONTINUITY_REQUEST_SECONDS + self._received / settings.CONTINUITY_UPLOAD_LEAST_BYTES
        return self.begun_at + min(earned, settings.CONTINUITY_UPLOAD_SECONDS) - time.monotonic()

    async def send(self, message: Message) -> None:
        """Part of the site's answer; one that comes after ours goes nowhere."""
        if self.over:
            return
        if not self.started:
            self.started = True
            self._answering.set_result(None)
        await self._send(message)

    async def send_instead(self, messages: list[Message]) -> None:
        """Our answer in the place of the site's, from which nothing is taken any more."""
        self.over = True
        for message in messages:
            await self._send(message)

    async def has_begun(self, task: asyncio.Task[None]) -> bool:
        """Waits until the answer has begun, or the site's `task` has ended; False where the deadline was first."""
        while not self.started and not task.done():
            # While the request arrives its own bound holds; the deadline begins anew when it has.
            left = settings.CONTINUITY_REQUEST_SECONDS if self.arriving else self.deadline.left()
            if left <= 0:
                return False
            await asyncio.wait({task, self._answering}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        return True
