"""Calls to the API from within the server's own process: the same checks of keys and scopes, and no connection."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from django.core.handlers.wsgi import WSGIHandler

from continuity.client.connection import answer_of, body_of, target_of


class Inside:
    """Hands calls to Django in the caller's thread. `headers` are those of the request that is answered with them.

    `environ` names the server and its client, as WSGI has it.
    """

    def __init__(self, handler: WSGIHandler, headers: Mapping[str, str], environ: Mapping[str, Any]) -> None:
        self._handler = handler
        self._headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
        self._environ = environ

    def call(self, method: str, path: str, body: Any = None, *, query: dict[str, Any] | None = None, answer: float | None = None) -> Any:
        """The answer's JSON, or its text where it is none. Raises Away and Refused. `answer` is not heeded: the one to wait for is us."""
        target, _, asked = target_of(path, query).partition("?")
        sent = body_of(body) or b""
        environ = {
            **self._environ,
            **self._headers,
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote(target, "latin-1"),
            "QUERY_STRING": asked,
            "CONTENT_LENGTH": str(len(sent)),
            "CONTENT_TYPE": "application/json" if sent else "",
            "HTTP_ACCEPT": "application/json",
            "wsgi.input": io.BytesIO(sent),
        }
        status: list[int] = []
        kind: list[str] = []

        def start(line: str, headers: list[tuple[str, str]], *_: Any) -> Any:
            status.append(int(line.split(" ", 1)[0]))
            kind.extend(value for name, value in headers if name.lower() == "content-type")

        response = self._handler(environ, start)
        try:
            told = b"".join(response)
        finally:
            response.close()  # Gives the thread's database connection back.
        return answer_of(status[0], kind[0] if kind else "", told)

    def close(self) -> None:
        """There is nothing to close."""
