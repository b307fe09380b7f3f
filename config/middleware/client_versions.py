"""A client that is too old for this server is told so, before anything of its request is looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from continuity import releases
from continuity.api.problems import render
from continuity.core.errors import ClientTooOld

PATH = "/api/"


@sync_and_async_middleware
def client_version_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    if iscoroutinefunction(get_response):

        async def handle_async(request: HttpRequest) -> HttpResponseBase:
            response: HttpResponseBase = _refusal(request) or await get_response(request)
            return response

        return markcoroutinefunction(handle_async)

    def handle(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = _refusal(request) or get_response(request)
        return response

    return handle


def _refusal(request: HttpRequest) -> HttpResponse | None:
    version = releases.client_of(request.headers.get("User-Agent", "")) if request.path.startswith(PATH) else ""
    if not releases.is_older(version, releases.OLDEST_CLIENT):
        return None
    return render(ClientTooOld(given=version, oldest=releases.OLDEST_CLIENT))
