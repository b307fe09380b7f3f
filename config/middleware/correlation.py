"""One correlation id per request, carried into its log lines, its answer and the Celery tasks it starts (FR-045)."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from continuity.core.correlation import HEADER, correlated


def correlation_middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    def handle(request: HttpRequest) -> HttpResponseBase:
        with correlated(request.headers.get(HEADER, "")) as value:
            response = get_response(request)
        response.headers[HEADER] = value
        return response

    return handle
