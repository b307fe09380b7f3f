"""A client that is too old for this server is told so, before anything of its request is looked at."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from continuity import releases
from continuity.api.problems import render
from continuity.core.errors import ClientTooOld

PATH = "/api/"


def client_version_middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    def handle(request: HttpRequest) -> HttpResponseBase:
        return _refusal(request) or get_response(request)

    return handle


def _refusal(request: HttpRequest) -> HttpResponse | None:
    version = releases.client_of(request.headers.get("User-Agent", "")) if request.path.startswith(PATH) else ""
    if not releases.is_older(version, releases.OLDEST_CLIENT):
        return None
    return render(ClientTooOld(given=version, oldest=releases.OLDEST_CLIENT))
