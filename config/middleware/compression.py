"""Pages are sent compressed to who can read that: a package that can be edited is a tenth of its size then.

What is read and what a stranger may choose stand on one page (BREACH): tokens are masked anew each time, other sites get no session
cookie for what they load (SameSite), and Django adds a random number of bytes.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware

SHORT = 1000  # bytes that fit into the first packet anyhow


def compression_middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    gzip = GZipMiddleware(get_response)

    def pressed(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not isinstance(response, HttpResponse) or not response.headers.get("Content-Type", "").startswith("text/html"):
            return response  # streams of events among them
        return gzip.process_response(request, response) if len(response.content) >= SHORT else response

    def handle(request: HttpRequest) -> HttpResponseBase:
        return pressed(request, get_response(request))

    return handle
