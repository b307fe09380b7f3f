"""A hook's question by the whole client, where a bare socket will not do: HTTPS, or an unusual address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from continuity.client import credentials
from continuity.client.connection import Away, BadAddress, Connection, Refused
from continuity.client.light.requests import TLS_SECONDS, NoAnswer, NotInTime, Refusal, Unreachable, patience


def call(method: str, path: str, body: Mapping[str, str] | None, seconds: float, *, key: str = "") -> dict[str, Any]:
    """As `light.requests.call`, whose errors it raises."""
    path, _, asked = path.partition("?")
    try:
        connection = Connection(credentials.find(), connect=patience(TLS_SECONDS), answer=seconds)
        try:
            answer = connection.call(method, path, body, query=dict(parse_qsl(asked)), key=key)
        finally:
            connection.close()
    except BadAddress as error:
        raise NoAnswer(str(error)) from error
    except Away as away:
        waited = isinstance(away.__cause__, TimeoutError)
        kind = Unreachable if not away.reached else NotInTime if waited else NoAnswer
        raise kind(str(away), waited=waited) from away
    except Refused as refused:
        raise Refusal(refused.status, refused.problem) from refused
    return answer if isinstance(answer, dict) else {}
