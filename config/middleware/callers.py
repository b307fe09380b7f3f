"""Each request has an actor: its address from the start, and who it is once they are known."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from continuity.core import actor
from continuity.core.request_origin import address_of


def caller_middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    def handle(request: HttpRequest) -> HttpResponseBase:
        with actor.from_address(address_of(request)):
            return get_response(request)

    return handle
