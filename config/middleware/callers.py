"""Each request has an actor: its address from the start, and who it is once they are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from continuity.core import actor
from continuity.core.request_origin import address_of


@sync_and_async_middleware
def caller_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    if iscoroutinefunction(get_response):

        async def handle_async(request: HttpRequest) -> HttpResponseBase:
            with actor.from_address(address_of(request)):
                response: HttpResponseBase = await get_response(request)
                return response

        return markcoroutinefunction(handle_async)

    def handle(request: HttpRequest) -> HttpResponseBase:
        with actor.from_address(address_of(request)):
            response: HttpResponseBase = get_response(request)
            return response

    return handle
