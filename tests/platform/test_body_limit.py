"""A request that is too large is refused where it arrives, announced or not, and nothing of it is kept."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from django.core.asgi import get_asgi_application
from django.test import override_settings

from config.middleware.body_limit import SURROUNDINGS, limited

LIMITS = {"CONTINUITY_MAX_UPLOAD_BYTES": 3_000_000, "CONTINUITY_MAX_BATCH_BYTES": 1_000_000}
BATCH, UPLOAD, STATE = "/api/v1/conversations", "/api/v1/conversations/import", "/api/v1/agents/billing/state"


def send(path: str, size: int, *, announced: bool) -> tuple[int, Any, int]:
    """Status, JSON, and how many bytes were taken of a request of so many in chunks of 256 KB."""
    taken, answer = 0, []

    async def receive() -> dict[str, Any]:
        nonlocal taken
        if taken == size:
            await asyncio.Event().wait()  # The caller stays until it has its answer.
        chunk = min(1 << 18, size - taken)
        taken += chunk
        return {"type": "http.request", "body": b"x" * chunk, "more_body": taken < size}

    async def answered(message: Any) -> None:
        answer.append(message)

    headers = [(b"content-length", str(size).encode())] if announced else []
    scope = {"type": "http", "method": "POST", "path": path, "headers": [(b"host", b"localhost"), *headers], "query_string": b""}
    with override_settings(**LIMITS):
        asyncio.run(limited(get_asgi_application())(scope, receive, answered))  # type: ignore[arg-type]
    return answer[0]["status"], json.loads(answer[1]["body"]), taken


def send_as_page(path: str, size: int, given: dict[bytes, bytes]) -> tuple[dict[bytes, bytes], bytes]:
    """Headers and content of what a browser is answered to a request of so many bytes."""
    answer: list[Any] = []

    async def answered(message: Any) -> None:
        answer.append(message)

    headers = [(b"host", b"localhost"), (b"content-length", str(size).encode()), *given.items()]
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "query_string": b""}
    with override_settings(**LIMITS):
        asyncio.run(limited(get_asgi_application())(scope, asyncio.Event().wait, answered))  # type: ignore[arg-type]
    assert answer[0]["status"] == 413
    return dict(answer[0]["headers"]), answer[1]["body"]


def test_it_works() -> None:
    status, told, taken = send(BATCH, 9_000_000, announced=True)
    assert (status, told["code"], told["limit"], taken) == (413, "too_large", "1,000,000 bytes", 0)


@pytest.mark.parametrize(("path", "limit"), [(BATCH, 1_000_000), (UPLOAD, 3_000_000), (STATE, 1_000_000)])
def test_what_was_not_announced_is_refused_when_it_is_too_much(path: str, limit: int) -> None:
    status, told, taken = send(path, 50_000_000, announced=False)
    assert (status, told["limit"]) == (413, f"{limit:,} bytes")
    assert taken <= limit + SURROUNDINGS + (1 << 18)


def test_a_call_of_an_agent_has_the_limit_of_a_message() -> None:
    with override_settings(CONTINUITY_MAX_MESSAGE_BYTES=500_000):
        status, told, _ = send("/mcp", 4_000_000, announced=True)
    assert (status, told["limit"]) == (413, "500,000 bytes")


@pytest.mark.parametrize("htmx", [False, True])
def test_a_person_is_told_the_limit_on_the_page(htmx: bool) -> None:
    """Under htmx as a notice: without these headers the page would only say that there was an error."""
    given = {b"hx-request": b"true"} if htmx else {}
    headers, body = send_as_page("/conversations/import", 9_000_000, given)
    assert b"3,000,000 bytes" in body
    assert headers[b"content-type"].startswith(b"text/html")
    assert (headers.get(b"hx-retarget") == b"#notices") is htmx
    assert (b"<html" in body) is not htmx


@pytest.mark.django_db(transaction=True)
def test_what_is_within_the_limit_goes_on() -> None:
    status, told, taken = send(UPLOAD, 2_000_000, announced=False)
    assert (status, told["code"], taken) == (401, "unauthenticated", 2_000_000)
