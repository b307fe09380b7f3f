"""A client that is too old for this server is told so, before anything of its request is looked at; at `/mcp`, which is beside the site,
continuity/mcp/http.py does the same."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from continuity.api.problems import refused_client

PATH = "/api/"


def client_version_middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    def handle(request: HttpRequest) -> HttpResponseBase:
        refused = refused_client(request.headers.get("User-Agent", "")) if request.path.startswith(PATH) else None
        return refused or get_response(request)

    return handle
