"""A path with a NUL character names nothing that is stored: 404, before anybody asks the database, which takes none."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from config.middleware.refusals import PROGRAMS
from continuity.api.problems import render
from continuity.core.errors import NotFound
from continuity.views.refusals import refusal


def path_characters_middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    def handle(request: HttpRequest) -> HttpResponseBase:
        if "\0" not in request.path:
            return get_response(request)
        error = NotFound(noun="resource")
        return render(error) if request.path.startswith(PROGRAMS) else refusal(request, error)

    return handle
