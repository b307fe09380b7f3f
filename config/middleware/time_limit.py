"""Answers every request in time, whatever hangs, and never has more work at hand than it can hold."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from contextvars import Context, copy_context

from django.conf import settings

from config.middleware import refusals
from config.middleware.request_watch import Application, Exchange, Receive, Scope, Send
from continuity.core import deadlines, disk
from continuity.core.correlation import HEADER, correlation_id, id_for
from continuity.core.errors import Busy, DomainError, NoRoom, TookTooLong, TooSlow

logger = logging.getLogger("continuity.web")

# Asked by whoever watches the process: they must have an answer also when nobody else can have one.
PROBES = ("/health", "/ready")
RETRY_SECONDS = 5


class Site:
    """The site behind its limits. `at_hand` are the requests that it works on, those that were answered without it among them."""

    def __init__(self, site: Application) -> None:
        self._site = site
        self.at_hand: set[Exchange] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._site(scope, receive, send)
            return
        # A context of the request's own, whatever the server does: a deadline and an id that all of its work and its log lines have.
        context = copy_context()
        context.run(correlation_id.set, id_for(_given_id(scope)))
        exchange = Exchange(scope, receive, send)
        context.run(deadlines.deadline.set, exchange.deadline)
        if self._is_full(scope["path"]):
            await _answer(context, scope, exchange, Busy(retry_after=RETRY_SECONDS))
            return
        task = asyncio.get_running_loop().create_task(self._serve(scope, exchange), context=context)
        if not await exchange.has_begun(task):
            context.run(_log_overrun, exchange)
            seconds = f"{settings.CONTINUITY_REQUEST_SECONDS:g}"
            await _answer(context, scope, exchange, TookTooLong(seconds=seconds, retry_after=RETRY_SECONDS))
            task.add_done_callback(_note_error)
            return
        try:
            await task
        except Exception as error:
            if isinstance(error, OSError) and disk.is_full(error) and not exchange.started:
                context.run(logger.error, "A request could not be kept on its way", exc_info=error)
                await _answer(context, scope, exchange, NoRoom())
            elif not exchange.too_slow:  # The site was told that the sender had gone, and may say that it minds.
                raise
        if exchange.too_slow and not (exchange.started or exchange.over):
            await _answer(context, scope, exchange, _too_slow())

    async def _serve(self, scope: Scope, exchange: Exchange) -> None:
        self.at_hand.add(exchange)
        try:
            await self._site(scope, exchange.receive, exchange.send)
        finally:
            self.at_hand.discard(exchange)

    def _is_full(self, path: str) -> bool:
        """The server takes CONTINUITY_WEB_CONCURRENCY connections; some of them are kept for probes."""
        limit = settings.CONTINUITY_WEB_CONCURRENCY
        return path not in PROBES and len(self.at_hand) >= limit - min(16, limit // 8)

    def unanswered(self) -> Iterator[Exchange]:
        """The requests that wait for their answer, or for the rest of it."""
        return (exchange for exchange in self.at_hand if not exchange.over)


async def _answer(context: Context, scope: Scope, exchange: Exchange, error: DomainError) -> None:
    await exchange.send_instead(context.run(refusals.messages, scope, error))


def _given_id(scope: Scope) -> str:
    name = HEADER.lower().encode()
    return next((value.decode("latin-1") for header, value in scope["headers"] if header.lower() == name), "")


def _too_slow() -> TooSlow:
    rate, begin, limit = settings.CONTINUITY_UPLOAD_LEAST_BYTES, settings.CONTINUITY_REQUEST_SECONDS, settings.CONTINUITY_UPLOAD_SECONDS
    return TooSlow(seconds=f"{begin:g}", rate=f"{rate:,}", limit=f"{limit:g}")


def _log_overrun(exchange: Exchange) -> None:
    seconds = round(time.monotonic() - exchange.begun_at, 1)
    logger.error(
        "A request was not answered in time", extra={"metadata": {"method": exchange.method, "path": exchange.path, "seconds": seconds}}
    )


def _note_error(task: asyncio.Task[None]) -> None:
    """Logs the error of work that nobody waits for any more."""
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.warning("A request that was not answered in time failed", extra={"metadata": {"error": type(error).__name__}})
