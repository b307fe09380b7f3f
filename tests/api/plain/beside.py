"""Plain calls in front of a site that only keeps what comes to it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connections

from continuity.api.plain import calls
from continuity.api.plain.calls import Application
from continuity.api.plain.lanes import Lanes
from continuity.services.events import relay

SITE = b"the site's"
TO_THE_SITE = 418


class Beside:
    """What `beside` answers by itself; what it passes on is 418, and kept."""

    def __init__(self, beside: Callable[[Application], Application]) -> None:
        self.came: list[bytes] = []
        self.headers: dict[str, str] = {}  # of the last answer
        self._application = beside(self._site)

    async def _site(self, scope: Any, receive: Any, send: Any) -> None:
        self.came.append((await receive())["body"])
        await send({"type": "http.response.start", "status": TO_THE_SITE, "headers": []})
        await send({"type": "http.response.body", "body": SITE})

    def post(self, key: str, path: str, body: Any, **more: str) -> tuple[int, Any]:
        """The status and the JSON; `more` are headers, with underscores."""
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"host": "localhost", "content-type": "application/json", "content-length": str(len(sent))}
        headers |= {"authorization": f"Bearer {key}", "user-agent": "continuity-client/9.9.9"}
        headers |= {name.replace("_", "-"): value for name, value in more.items()}
        return self.ask(path, [(name.encode(), value.encode()) for name, value in headers.items()], sent)

    def ask(self, path: str, headers: list[tuple[bytes, bytes]], sent: bytes, method: str = "POST") -> tuple[int, Any]:
        scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": headers}
        answered: list[calls.Message] = []

        async def receive() -> calls.Message:
            return {"type": "http.request", "body": sent, "more_body": False}

        async def send(message: calls.Message) -> None:
            answered.append(message)

        async def asked() -> None:
            await self._application(scope, receive, send)

        asyncio.run(asked())
        told = b"".join(each.get("body", b"") for each in answered)
        self.headers = {name.decode(): value.decode() for name, value in answered[0]["headers"]}
        return answered[0]["status"], told if told == SITE else json.loads(told)


def let_go(threads: ThreadPoolExecutor | Lanes) -> None:
    """Closes the connection of each thread: they meet, so that none of them does it for another."""
    together = threading.Barrier(calls.THREADS)

    def close() -> None:
        together.wait(30)
        connections.close_all()

    for closing in [threads.submit(close) for _ in range(calls.THREADS)]:
        closing.result()


def let_mark() -> None:
    """Waits until all that was sent is marked so."""
    relay._marking.submit(lambda: None).result(30)
