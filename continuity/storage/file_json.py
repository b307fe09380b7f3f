"""Sessions and values as the JSON of their files."""

from __future__ import annotations

import base64
from datetime import datetime
from typing import Any

from continuity.storage.adapter import StoredValue
from continuity.storage.sealing import is_sealed
from continuity.storage.sessions import DamagedRecord, Encoding, StoredSession


def session_json(session: StoredSession) -> dict[str, Any]:
    return {"id": session.id, **session.told(), **_body_json(session.body, text=session.encoding == Encoding.PLAIN)}


def read_session(session_id: str, told: dict[str, Any]) -> StoredSession:
    try:
        body = _body(told, text=told["encoding"] == Encoding.PLAIN)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DamagedRecord(f"the session {session_id} can't be read") from error
    return StoredSession.of(session_id, body, told)


def value_json(value: StoredValue) -> dict[str, Any]:
    return {"key": value.key, "saved_at": value.saved_at.isoformat(), **_body_json(value.body, text=True)}


def read_value(told: dict[str, Any]) -> StoredValue:
    try:
        return StoredValue(told["key"], _body(told, text=True), datetime.fromisoformat(told["saved_at"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DamagedRecord("the value can't be read") from error


def _body_json(body: bytes, *, text: bool) -> dict[str, Any]:
    """A text stays readable; what is compressed or sealed is none."""
    if text and not is_sealed(body):
        return {"body": body.decode()}
    return {"body": base64.b64encode(body).decode(), **({"sealed": True} if text else {})}


def _body(told: dict[str, Any], *, text: bool) -> bytes:
    given: str = told["body"]
    return given.encode() if text and not told.get("sealed") else base64.b64decode(given, validate=True)
