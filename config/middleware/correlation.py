"""One correlation id per request, carried into its log lines, its answer and the Celery tasks it starts (FR-045)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from continuity.core.correlation import correlation_id, current_correlation_id, new_correlation_id

HEADER = "X-Correlation-ID"
# What a caller sends is copied into logs and headers: anything else than a plain short token is replaced.
ACCEPTABLE = re.compile(r"[A-Za-z0-9._:-]{1,128}")


def id_for(given: str) -> str:
    """The caller's id where it is a plain token, else that of the work at hand, else a new one."""
    return given if ACCEPTABLE.fullmatch(given) else current_correlation_id() or new_correlation_id()


@contextmanager
def correlated(given: str) -> Iterator[str]:
    """Work under the id for what was given."""
    value = id_for(given)
    token = correlation_id.set(value)
    try:
        yield value
    finally:
        correlation_id.reset(token)


@sync_and_async_middleware
def correlation_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    if iscoroutinefunction(get_response):

        async def handle_async(request: HttpRequest) -> HttpResponseBase:
            with correlated(request.headers.get(HEADER, "")) as value:
                response: HttpResponseBase = await get_response(request)
            response.headers[HEADER] = value
            return response

        return markcoroutinefunction(handle_async)

    def handle(request: HttpRequest) -> HttpResponseBase:
        with correlated(request.headers.get(HEADER, "")) as value:
            response: HttpResponseBase = get_response(request)
        response.headers[HEADER] = value
        return response

    return handle
