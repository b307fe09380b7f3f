"""Every request is answered in time: one that hangs, one that never quite arrives, and those who only look whether we live."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import override_settings

from config.middleware.time_limit import Site
from continuity.core import deadlines
from continuity.core.correlation import current_correlation_id

# Pauses are parts of these: no shorter, as a busy machine may keep a request that does not hang for some of that.
WORKS, ARRIVES, LEAST_BYTES = 0.5, 1.0, 2000
LIMITS = {
    "CONTINUITY_REQUEST_SECONDS": WORKS,
    "CONTINUITY_UPLOAD_SECONDS": ARRIVES,
    "CONTINUITY_UPLOAD_LEAST_BYTES": LEAST_BYTES,
    "CONTINUITY_WEB_CONCURRENCY": 2,
}
App = Callable[..., Awaitable[None]]


@pytest.fixture(autouse=True)
def short():
    with override_settings(**LIMITS):
        yield


@dataclass
class Caller:
    """Sends `parts`, one each `pause` seconds, and then waits for its answer."""

    parts: list[bytes] = field(default_factory=lambda: [b""])
    pause: float = 0.0
    path: str = "/api/v1/conversations"
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    sent: list[Any] = field(default_factory=list)
    given: int = 0

    async def receive(self) -> dict[str, Any]:
        await asyncio.sleep(self.pause)
        if self.given == len(self.parts):
            await asyncio.Event().wait()
        self.given += 1
        return {"type": "http.request", "body": self.parts[self.given - 1], "more_body": self.given < len(self.parts)}

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    async def ask(self, site: App) -> None:
        scope = {"type": "http", "method": "POST", "path": self.path, "headers": self.headers}
        await site(scope, self.receive, self.send)

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def told(self) -> dict[str, Any]:
        assert len(self.sent) == 2, "one answer, once"
        found: dict[str, Any] = json.loads(self.sent[1]["body"])
        return found

    @property
    def answered_with(self) -> dict[bytes, bytes]:
        return dict(self.sent[0]["headers"])


async def read(receive: Any) -> int | None:
    """How many bytes came; None where the sender went."""
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        size += len(message["body"])
        if not message["more_body"]:
            return size


async def answer(send: Any, status: int = 200) -> None:
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body", "body": b"done"})


async def reading(scope: Any, receive: Any, send: Any) -> None:
    """Answers what arrived whole."""
    if await read(receive) is not None:
        await answer(send)


def test_it_works() -> None:
    caller = Caller([b"a", b"b"])
    asyncio.run(caller.ask(Site(reading)))
    assert [message.get("body", b"") for message in caller.sent] == [b"", b"done"]


def test_a_request_that_hangs_is_answered_and_its_late_answer_goes_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    ended: list[str] = []

    async def hanging(scope: Any, receive: Any, send: Any) -> None:
        await read(receive)
        await asyncio.sleep(2 * WORKS)
        await answer(send)
        ended.append(current_correlation_id())

    async def ask() -> None:
        site = Site(hanging)
        await caller.ask(site)
        assert (len(site.at_hand), list(site.unanswered())) == (1, []), "its work is still counted"
        await asyncio.sleep(2 * WORKS)
        assert not site.at_hand

    caller = Caller(headers=[(b"x-correlation-id", b"mine")])
    with caplog.at_level(logging.ERROR, "continuity.web"):
        asyncio.run(ask())
    assert (caller.status, caller.told["code"]) == (503, "took_too_long")
    assert f"{WORKS:g} seconds" in caller.told["detail"]
    assert (caller.answered_with[b"retry-after"], caller.answered_with[b"x-correlation-id"]) == (b"5", b"mine")
    assert caller.answered_with[b"content-type"] == b"application/problem+json"
    assert ended == ["mine"]
    assert caplog.records[0].metadata["path"] == caller.path  # type: ignore[attr-defined]


def test_a_person_gets_a_page() -> None:
    async def hanging(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(2 * WORKS)

    caller = Caller(path="/conversations")
    asyncio.run(caller.ask(Site(hanging)))
    assert caller.status == 503
    assert caller.answered_with[b"content-type"].startswith(b"text/html")
    assert f"{WORKS:g} seconds".encode() in caller.sent[1]["body"]


def test_the_deadline_begins_when_the_request_has_arrived() -> None:
    left: list[float] = []

    async def noting(scope: Any, receive: Any, send: Any) -> None:
        await read(receive)
        left.append(deadlines.remaining_seconds(99))
        await answer(send)

    caller = Caller([b"x" * LEAST_BYTES] * 7, pause=WORKS / 5)  # longer than it may work, and faster than it must be
    with override_settings(CONTINUITY_UPLOAD_SECONDS=60):
        asyncio.run(caller.ask(Site(noting)))
    assert caller.status == 200
    assert 0 < left[0] <= WORKS


@pytest.mark.parametrize("path", ["/api/v1/conversations/import", "/conversations/import"])
@pytest.mark.parametrize("parts", [[b"a", b"b"] * 50, [b"x" * 600] * 50], ids=["a byte now and then", "fast enough but for ever"])
def test_half_a_request_does_not_stay_open(path: str, parts: list[bytes]) -> None:
    caller = Caller(parts, pause=0.6 * WORKS, path=path)
    asyncio.run(asyncio.wait_for(caller.ask(Site(reading)), 60))
    assert caller.status == 408
    assert caller.given < len(parts)
    body = caller.sent[1]["body"]
    assert all(words.encode() in body for words in (f"{WORKS:g} seconds", f"{LEAST_BYTES:,} bytes", f"{ARRIVES:g} seconds"))
    assert caller.answered_with[b"connection"] == b"close"


def test_a_site_that_minds_a_sender_who_went_is_no_fault_of_ours() -> None:
    async def minding(scope: Any, receive: Any, send: Any) -> None:
        if await read(receive) is None:
            raise ConnectionError("gone")

    caller = Caller([b"a"] * 50, pause=0.6 * WORKS)
    asyncio.run(caller.ask(Site(minding)))
    assert caller.status == 408


def test_a_stream_goes_on_for_as_long_as_it_likes() -> None:
    async def streaming(scope: Any, receive: Any, send: Any) -> None:
        await read(receive)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(4):
            await asyncio.sleep(0.4 * WORKS)
            await send({"type": "http.response.body", "body": b".", "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    caller = Caller()
    asyncio.run(caller.ask(Site(streaming)))
    assert [message.get("body") for message in caller.sent[1:]] == [b"."] * 4 + [b""]


def test_more_than_there_is_room_for_is_refused_but_for_probes() -> None:
    async def hanging(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(0 if scope["path"] == "/ready" else 2.5 * WORKS)
        await answer(send)

    async def ask() -> None:
        site = Site(hanging)
        await asyncio.gather(Caller().ask(site), Caller().ask(site))  # answered, and still at hand
        assert len(site.at_hand) == 2
        await refused.ask(site)
        await probe.ask(site)
        await asyncio.sleep(2.5 * WORKS)
        await after.ask(Site(reading))

    refused, probe, after = Caller(), Caller(path="/ready"), Caller()
    asyncio.run(ask())
    assert (refused.status, refused.told["code"]) == (503, "busy")
    assert (probe.status, after.status) == (200, 200)


def test_a_fault_of_the_site_is_its_servers_to_tell() -> None:
    async def failing(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("a fault")

    with pytest.raises(RuntimeError, match="a fault"):
        asyncio.run(Caller().ask(Site(failing)))


def test_who_waits_for_something_that_takes_longer_may_have_more_time() -> None:
    async def asking(scope: Any, receive: Any, send: Any) -> None:
        await read(receive)
        await asyncio.to_thread(deadlines.extend, 5)
        await asyncio.sleep(2 * WORKS)
        await answer(send)

    caller = Caller()
    asyncio.run(caller.ask(Site(asking)))
    assert caller.status == 200
