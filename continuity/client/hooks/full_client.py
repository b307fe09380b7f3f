"""A hook's question by the whole client, where a bare socket will not do: HTTPS, or an unusual address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from continuity.client import credentials
from continuity.client.connection import Away, BadAddress, Connection, Refused
from continuity.client.light.requests import NoAnswer, Refusal


def call(method: str, path: str, body: Mapping[str, str] | None, seconds: float) -> dict[str, Any]:
    """As `light.requests.call`, whose errors it raises."""
    path, _, asked = path.partition("?")
    try:
        connection = Connection(credentials.find(), connect=seconds, answer=seconds)
        try:
            answer = connection.call(method, path, body, query=dict(parse_qsl(asked)))
        finally:
            connection.close()
    except (Away, BadAddress) as error:
        raise NoAnswer(str(error)) from error
    except Refused as refused:
        raise Refusal(refused.status, refused.problem) from refused
    return answer if isinstance(answer, dict) else {}
