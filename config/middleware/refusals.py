"""An answer that the web process gives without asking the site: a problem to a program, a page to a person's browser."""

from __future__ import annotations

import io
from collections.abc import MutableMapping
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django_htmx.middleware import HtmxDetails

from config.middleware import content_security
from continuity.api.problems import render
from continuity.core.correlation import HEADER, current_correlation_id
from continuity.core.errors import DomainError
from continuity.views.refusals import refusal

PROGRAMS = ("/api/", "/mcp", "/health", "/ready", "/metrics")


def messages(scope: MutableMapping[str, Any], error: DomainError) -> list[MutableMapping[str, Any]]:
    """The error as what an ASGI application sends. The connection is closed: what is left of the request is not read."""
    path = scope["path"]
    response = render(error) if path.startswith(PROGRAMS) else _page(scope, error)
    response.headers.setdefault(content_security.NAME, content_security.policy_for(path))
    response.headers.setdefault(HEADER, current_correlation_id())
    response.headers["Connection"] = "close"
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in response.items()]
    return [
        {"type": "http.response.start", "status": response.status_code, "headers": headers},
        {"type": "http.response.body", "body": response.content},
    ]


def _page(scope: MutableMapping[str, Any], error: DomainError) -> HttpResponse:
    request: Any = ASGIRequest({"query_string": b"", **scope}, io.BytesIO())
    request.htmx = HtmxDetails(request)
    return refusal(request, error)
