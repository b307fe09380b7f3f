"""Pages are sent compressed to who can read that: a package that can be edited is a tenth of its size then.

What is read and what a stranger may choose stand on one page (BREACH): tokens are masked anew each time, other sites get no session
cookie for what they load (SameSite), and Django adds a random number of bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.decorators import sync_and_async_middleware

SHORT = 1000  # bytes that fit into the first packet anyhow


@sync_and_async_middleware
def compression_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    gzip = GZipMiddleware(get_response)

    def pressed(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not isinstance(response, HttpResponse) or not response.headers.get("Content-Type", "").startswith("text/html"):
            return response  # streams of events among them
        return gzip.process_response(request, response) if len(response.content) >= SHORT else response

    if iscoroutinefunction(get_response):

        async def handle_async(request: HttpRequest) -> HttpResponseBase:
            return pressed(request, await get_response(request))

        return markcoroutinefunction(handle_async)

    def handle(request: HttpRequest) -> HttpResponseBase:
        return pressed(request, get_response(request))

    return handle
