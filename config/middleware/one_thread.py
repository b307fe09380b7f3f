"""Django's handler, in which a request goes through all middleware and its view in one piece, in a thread of its own.

The one that Django brings goes from the event loop to that thread and back for each middleware that is not written for both, nine times
for a call of the API, and each time waits for its turn behind whoever holds the interpreter. No view here is asynchronous; a body that is
sent as it comes is still taken from the event loop.
"""

from __future__ import annotations

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponseBase


class OneThreadHandler(ASGIHandler):
    def load_middleware(self, is_async: bool = True) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response)(request)
