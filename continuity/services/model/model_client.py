"""One question to the model: bounded in time and size, tried again where that may help, given up early where it does not."""

import asyncio
import logging
import time
from collections.abc import Mapping
from typing import Any

import httpx2
import pybreaker
import stamina
from stamina.instrumentation import LoggingOnRetryHook, set_on_retry_hooks

from continuity.extraction.answer import LONGEST, BadAnswer, parse
from continuity.extraction.prompt import Prompt
from continuity.extraction.protocols import PROTOCOLS, Endpoint, ModelReply
from continuity.services.model import model_endpoint

logger = logging.getLogger("continuity.model")

ATTEMPTS = 3
LONGEST_PAUSE = 2.0  # seconds between two attempts, where the endpoint does not say
MAX_BYTES = 4 * LONGEST
TRY_AGAIN = frozenset({408, 409, 425, 429})

# Retries are told of in the log like everything else; stamina would print them by itself.
set_on_retry_hooks([LoggingOnRetryHook])
# After three questions that no retry helped, nobody asks for a minute. An answer that can't be used is an answer.
_breaker = pybreaker.CircuitBreaker(fail_max=3, reset_timeout=60, exclude=[BadAnswer], throw_new_error_on_trip=False)


class ModelAway(Exception):
    """The endpoint gave no answer. `reason` holds nothing of what was sent or received; `passing` says that it may answer soon."""

    def __init__(self, reason: str, *, passing: bool = False, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.passing = passing
        self.retry_after = retry_after


def ask(*, endpoint: Endpoint, prompt: Prompt, seconds: float) -> ModelReply:
    """The model's answer, within `seconds` with all retries. Raises ModelAway, or BadAnswer where it can't be used."""
    try:
        # As a context: its `call` would hold a lock while the model thinks, and every other thread of the process with it.
        with _breaker.calling():
            reply = _ask(endpoint, prompt, time.monotonic() + seconds)
    except pybreaker.CircuitBreakerError:
        raise ModelAway("it failed too often lately") from None
    except ModelAway:
        model_endpoint.note(answered=False)
        raise
    except BadAnswer:
        model_endpoint.note(answered=True)
        raise
    model_endpoint.note(answered=True)
    return reply


def _ask(endpoint: Endpoint, prompt: Prompt, deadline: float) -> ModelReply:
    protocol = PROTOCOLS[endpoint.kind]
    url, headers, body = endpoint.url + protocol.path, protocol.headers(endpoint.key), protocol.body(endpoint, prompt)

    def pause(error: Exception) -> float | bool:
        """How long to wait before the next attempt; False where none would help or there is no time for it."""
        if not isinstance(error, ModelAway) or not error.passing:
            return False
        left = deadline - time.monotonic()
        if error.retry_after is not None:
            return error.retry_after if error.retry_after < left else False
        return left > LONGEST_PAUSE

    for attempt in stamina.retry_context(
        on=pause, attempts=ATTEMPTS, timeout=None, wait_initial=0.3, wait_max=LONGEST_PAUSE, wait_jitter=0.3
    ):
        with attempt:
            content = asyncio.run(_post(url, headers, body, min(endpoint.seconds, deadline - time.monotonic())))
    return protocol.read(parse(content))


async def _post(url: str, headers: Mapping[str, str], body: Mapping[str, Any], seconds: float) -> str:
    """One attempt. The clock covers all of it, so that an endpoint which sends a byte now and then keeps nobody either.

    Redirects are not followed: the key is for the endpoint that was named. Compressed answers are not asked for, so that
    what is counted is what is read.
    """
    try:
        async with (
            asyncio.timeout(seconds),
            httpx2.AsyncClient(timeout=seconds, follow_redirects=False) as client,
            client.stream("POST", url, json=dict(body), headers={**headers, "accept-encoding": "identity"}) as response,
        ):
            _check_status(response)
            received = bytearray()
            async for chunk in response.aiter_raw():
                received += chunk
                if len(received) > MAX_BYTES:
                    raise BadAnswer("too long")
            return received.decode("utf-8", "replace")
    except (TimeoutError, httpx2.TimeoutException):
        raise ModelAway("it took too long", passing=True) from None
    except httpx2.HTTPError as error:
        raise ModelAway(type(error).__name__, passing=True) from None


def _check_status(response: httpx2.Response) -> None:
    status = response.status_code
    if 200 <= status < 300:
        if "json" not in response.headers.get("content-type", ""):
            raise BadAnswer("not JSON")
        return
    passing = status >= 500 or status in TRY_AGAIN
    raise ModelAway(f"HTTP {status}", passing=passing, retry_after=_seconds(response.headers.get("retry-after")))


def _seconds(text: str | None) -> float | None:
    """`Retry-After` in seconds; a date is not worth the trouble, since no pass waits for minutes."""
    return float(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 6 else None
