"""Heartbeats beside the site: what every runner sends every two seconds is answered without the site's machinery, where nothing is the
matter with it.

Whatever is not plain goes to the site as it came, which says what is wrong: another form, a key that is not known here yet, a refusal,
a store that is away.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, lru_cache, partial
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.http.request import split_domain_port, validate_host
from django.utils import timezone

from continuity import releases
from continuity.api.agents.plain_form import LONGEST, PlainBeats, plain_beats
from continuity.core import deadlines
from continuity.core.correlation import current_correlation_id
from continuity.core.errors import DomainError
from continuity.models import Scope as Permission
from continuity.services.accounts.known_keys import KnownKeys
from continuity.services.agents import heartbeats

PATH = "/api/v1/agents/heartbeats"
# With these the site has to look at the request itself.
UNUSUAL = frozenset({b"cookie", b"content-encoding", b"traceparent"})

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

THREADS = 2
# Nobody waits longer for the answer to a heartbeat. What waited here for so long, while the store hung, is not begun: it could only spoil
# connections for those that come after it.
PATIENCE_SECONDS = 4.0
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="heartbeats")


def beside(site: Application) -> Application:
    """The site with plain heartbeats answered before it."""
    keys = KnownKeys(Permission.AGENT)

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        headers = _plain_headers(scope)
        if headers is None:
            await site(scope, receive, send)
            return
        messages = [await receive()]
        while messages[-1].get("more_body"):
            messages.append(await receive())
        told = plain_beats(b"".join(each.get("body", b"") for each in messages), headers.get(b"continuity-agent", b"").decode("latin-1"))
        answer = None
        if told is not None and messages[-1]["type"] == "http.request":
            ends = time.monotonic() + min(PATIENCE_SECONDS, deadlines.left(PATIENCE_SECONDS))
            work = partial(copy_context().run, _in_time, ends, keys, headers[b"authorization"].decode("latin-1"), told)
            answer = await asyncio.get_running_loop().run_in_executor(_threads, work)
        if answer is None:
            await site(scope, _again(messages, receive), send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": _headers(answer)})
        await send({"type": "http.response.body", "body": answer})

    return application


def _plain_headers(scope: Scope) -> dict[bytes, bytes] | None:
    """The headers of a call that may be answered here; None of any other."""
    if scope["type"] != "http" or scope["path"] != PATH or scope["method"] != "POST" or scope.get("query_string"):
        return None
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"")
    short = length.isdigit() and int(length) <= LONGEST
    if not short or b"authorization" not in headers or not UNUSUAL.isdisjoint(headers) or b"json" not in headers.get(b"content-type", b""):
        return None
    return headers if _is_known(headers.get(b"host", b""), headers.get(b"user-agent", b""), tuple(settings.ALLOWED_HOSTS)) else None


@lru_cache(maxsize=256)
def _is_known(host: bytes, agent: bytes, allowed: Sequence[str]) -> bool:
    """Whether the host is ours and the client new enough."""
    name, _ = split_domain_port(host.decode("latin-1"))
    version = releases.client_of(agent.decode("latin-1"))
    return bool(name) and validate_host(name, allowed) and not releases.is_older(version, releases.OLDEST_CLIENT)


def _in_time(ends: float, keys: KnownKeys, authorization: str, told: PlainBeats) -> bytes | None:
    left = ends - time.monotonic()
    if left <= 0:
        return None
    with deadlines.within(left):
        return _answer(keys, authorization, told)


def _answer(keys: KnownKeys, authorization: str, told: PlainBeats) -> bytes | None:
    """The answer to plain beats of a key that is known here; None where the site is to answer."""
    try:
        team = keys.team_of(authorization, now=timezone.now())
        if team is None:
            return None
        found = heartbeats.hear(team=team, runner=told.runner, given=told.beats, now=timezone.now())
    except DomainError:
        return None
    except (DatabaseError, InterfaceError):
        connection.close()
        return None
    finally:
        if not _keeps_connections():
            connection.close()
    agents = [
        {"agent": each.agent, "result": each.result, "status": each.status, "epoch": each.epoch, "orders": list(each.orders)}
        for each in found
    ]
    intervals = {"interval_ms": settings.HEARTBEAT_INTERVAL_MS, "lost_after_ms": settings.AGENT_LOST_AFTER_MS}
    return json.dumps({**intervals, "agents": agents}).encode()


@cache
def _keeps_connections() -> bool:
    """Whether the threads here may keep theirs: enough are left for all else."""
    pool = settings.DATABASES["default"].get("OPTIONS", {}).get("pool")
    return not isinstance(pool, dict) or pool.get("max_size", 0) >= 4 * THREADS


def _headers(body: bytes) -> list[tuple[bytes, bytes]]:
    return [
        (b"content-type", b"application/json; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"continuity-version", settings.CONTINUITY_VERSION.encode()),
        (b"x-correlation-id", (current_correlation_id() or "").encode()),
    ]


def _again(messages: Sequence[Message], receive: Receive) -> Receive:
    """What was received, once more, then what comes."""
    kept = list(messages)

    async def next_message() -> Message:
        return kept.pop(0) if kept else await receive()

    return next_message
