"""Every answer names the server's version, so that a client sees an upgrade without asking for it."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

HEADER = "Continuity-Version"


def version_header_middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    def handle(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers[HEADER] = settings.CONTINUITY_VERSION
        return response

    return handle
