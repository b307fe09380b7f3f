"""One correlation id per request, carried into its log lines, its answer and the Celery tasks it starts (FR-045)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from continuity.core.correlation import HEADER, correlated


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
