"""The Content-Security-Policy of every answer: our own files only, nothing inline; the admin's framework needs more."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

NAME = "Content-Security-Policy"
SHARED = "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; connect-src 'self'; font-src 'self'"
STRICT = f"default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; {SHARED}"
# Swagger's own style sheet and React set style attributes and load data: icons, but run no inline script.
DOCS = f"default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; {SHARED}"
# Unfold ships Alpine.js, which evaluates expressions, and inline styles and scripts of its own.
ADMIN = (
    f"default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; {SHARED}"
)


def policy_for(path: str) -> str:
    if path == "/admin" or path.startswith("/admin/"):
        return ADMIN
    return DOCS if path == "/api/docs" else STRICT


def content_security_middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    def handle(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault(NAME, policy_for(request.path))
        return response

    return handle
