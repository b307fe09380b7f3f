"""Calls beside the site: those that come all the time are answered without the site's machinery, where nothing is the matter with them.

Whatever is not plain goes to the site as it came, which says what is wrong: another form, a key that is not known here yet, a refusal of
one, a store that is away.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpResponse
from django.http.request import split_domain_port, validate_host
from django.utils import timezone

from continuity import releases
from continuity.api.plain.lanes import Lanes
from continuity.core import deadlines
from continuity.core.correlation import HEADER, correlation_id, current_correlation_id, id_for
from continuity.models import ApiKey
from continuity.services.accounts.known_keys import KnownKeys

logger = logging.getLogger("continuity.api")

LONGEST = 128 * 1024
# With these the site has to look at the request itself.
UNUSUAL = frozenset({b"cookie", b"content-encoding", b"traceparent"})
_CORRELATION = HEADER.lower().encode()
MEDIA_TYPE = "application/json; charset=utf-8"

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# Of each kind: who waits for a row with one kind of calls holds up no other.
THREADS = 2
KINDS = 2
# No plain call takes longer, and none waits longer for a thread: what waited here while the store hung is not begun, as it could only spoil
# connections for those that come after it.
PATIENCE_SECONDS = 4.0


@dataclass(frozen=True, slots=True)
class PlainCall:
    """A call whose key has the permission, or had it when it was looked at last (`presumed`). `named` is what the pattern found in its
    path."""

    key: ApiKey
    headers: Mapping[bytes, bytes]
    body: bytes
    named: Sequence[str]
    presumed: bool = False

    def header(self, name: str) -> str:
        return self.headers.get(name.lower().encode(), b"").decode("latin-1")


# The answer, or None where the site is to answer, as it does where this raises. The site may do the same once more.
Work = Callable[[PlainCall], HttpResponse | None]


def with_plain_calls(
    site: Application,
    *,
    permission: str,
    threads: ThreadPoolExecutor | Lanes,
    works: Mapping[re.Pattern[str], Work],
    turn: float = PATIENCE_SECONDS,
    asks_for_key: bool = False,
) -> Application:
    """The site with plain calls (POST) answered before it, by the pattern that fits their path; what has no thread within `turn`
    seconds goes to the site too. `asks_for_key`: the works are given presumed keys first, and ask by themselves whether these hold."""
    keys = KnownKeys(permission)

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        found = next(((work, fits.groups()) for path, work in works.items() if (fits := path.fullmatch(scope.get("path", "")))), None)
        headers = _plain_headers(scope) if found else None
        if found is None or headers is None:
            await site(scope, receive, send)
            return
        messages: list[Message] = []
        if not await _all_arrived(receive, messages):
            await site(scope, _again(messages, _never), send)  # It says what it says of all that come too slowly.
            return
        answer, context = None, copy_context()
        context.run(correlation_id.set, id_for(headers.get(_CORRELATION, b"").decode("latin-1")))
        if messages[-1]["type"] == "http.request":
            body = b"".join(each.get("body", b"") for each in messages)
            begun = threads.submit(context.run, _answered, keys, headers, body, found[0], found[1], asks_for_key)
            await _ended(begun, min(turn, PATIENCE_SECONDS))
            if begun.done() or not begun.cancel():
                await _ended(begun)
                answer = begun.result()
        if answer is None:
            await site(scope, _again(messages, receive), send)
            return
        await send({"type": "http.response.start", "status": answer.status_code, "headers": context.run(_headers, answer)})
        await send({"type": "http.response.body", "body": answer.content})

    return application


async def _all_arrived(receive: Receive, messages: list[Message]) -> bool:
    """Whether the whole call came within the patience; `messages` are its parts. It comes in one, but from who sends slowly."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            messages.append(await receive())
            while messages[-1].get("more_body"):
                messages.append(await receive())
    except TimeoutError:
        return False
    return True


async def _ended(begun: Future[Any], seconds: float | None = None) -> None:
    """Returns once it has ended, or so many seconds are over. With one future and no task: each step of the event loop costs."""
    loop = asyncio.get_running_loop()
    over = loop.create_future()

    def wake() -> None:
        if not over.done():
            over.set_result(None)

    def wake_from_thread(_: Future[Any]) -> None:
        with suppress(RuntimeError):  # The loop is closed: nobody waits any more.
            loop.call_soon_threadsafe(wake)

    timer = None if seconds is None else loop.call_later(seconds, wake)
    begun.add_done_callback(wake_from_thread)
    try:
        await over
    finally:
        if timer is not None:
            timer.cancel()


def _plain_headers(scope: Scope) -> dict[bytes, bytes] | None:
    """The headers of a call that may be answered here; None of any other."""
    if scope["type"] != "http" or scope["method"] != "POST" or scope.get("query_string"):
        return None
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"")
    short = length.isdigit() and int(length) <= LONGEST and len(headers) == len(scope["headers"])
    if not short or b"authorization" not in headers or not UNUSUAL.isdisjoint(headers) or b"json" not in headers.get(b"content-type", b""):
        return None
    return headers if _is_known(headers.get(b"host", b""), headers.get(b"user-agent", b""), tuple(settings.ALLOWED_HOSTS)) else None


@lru_cache(maxsize=256)
def _is_known(host: bytes, agent: bytes, allowed: Sequence[str]) -> bool:
    """Whether the host is ours and the client new enough."""
    name, _ = split_domain_port(host.decode("latin-1"))
    version = releases.client_of(agent.decode("latin-1"))
    return bool(name) and validate_host(name, allowed) and not releases.is_older(version, releases.OLDEST_CLIENT)


def _answered(
    keys: KnownKeys, headers: Mapping[bytes, bytes], body: bytes, work: Work, named: Sequence[str], asks_for_key: bool
) -> HttpResponse | None:
    told = headers[b"authorization"].decode("latin-1")
    try:
        with deadlines.at_most(PATIENCE_SECONDS):
            known = keys.presumed(told) if asks_for_key else None
            answer = work(PlainCall(known, headers, body, named, presumed=True)) if known else None
            if answer is not None:
                return answer
            key = keys.key_of(told, now=timezone.now())
            return None if key is None or key is known else work(PlainCall(key, headers, body, named))
    except (DatabaseError, InterfaceError):
        connection.close()
        return None
    except Exception as error:
        logger.exception("A plain call was left to the site", extra={"metadata": {"error": type(error).__name__}})
        return None
    finally:
        if not _keeps_connections():
            connection.close()


@cache
def _keeps_connections() -> bool:
    """Whether the threads here may keep theirs: enough are left for all else."""
    pool = settings.DATABASES["default"].get("OPTIONS", {}).get("pool")
    return not isinstance(pool, dict) or pool.get("max_size", 0) > 2 * KINDS * THREADS


def _headers(answer: HttpResponse) -> list[tuple[bytes, bytes]]:
    own = {name.lower(): value for name, value in answer.items()} | {"content-length": str(len(answer.content))}
    own |= {"continuity-version": settings.CONTINUITY_VERSION, "x-correlation-id": current_correlation_id() or ""}
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in own.items()]


async def _never() -> Message:
    """Stands for the rest of a call whose sender stopped."""
    coming: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
    return await coming


def _again(messages: Sequence[Message], receive: Receive) -> Receive:
    """Replays what was received, then passes on the rest."""
    kept = list(messages)

    async def next_message() -> Message:
        return kept.pop(0) if kept else await receive()

    return next_message
