"""Reading fields whose types nobody guarantees: a wrong type reads as absent. A record and a message's content alone have to be right."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from continuity.transcripts.base.errors import BadRecord

MAX_LABEL = 1000
MAX_IDENTIFIER = 160
MAX_COUNT = 2**31 - 1


def json_object(record: Any) -> dict[str, Any]:
    """A record that has to be an object. Raises BadRecord."""
    if not isinstance(record, dict):
        raise BadRecord(f"is {kind_of(record)}, not an object")
    return record


def pieces(content: Any) -> list[Any]:
    """The pieces of a message's content, which is a text or a list of them. Raises BadRecord for else."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        raise BadRecord(f"has content that is {kind_of(content)}, neither a text nor a list")
    return content


def mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def listing(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def label(value: Any) -> str:
    """A short text such as a path, a branch or a model's name: at most 1,000 characters of it."""
    return value.strip()[:MAX_LABEL] if isinstance(value, str) else ""


def identifier(value: Any) -> str:
    """An id of at most 160 characters; a longer one is replaced by its hash, so that it still identifies."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    text = value.strip() if isinstance(value, str) else ""
    return text if len(text) <= MAX_IDENTIFIER else f"long:{digest(text)}"


def digest(text: str) -> str:
    """32 hex digits of BLAKE2b."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def whole(value: Any) -> int | None:
    """An integer within 32 bits, such as an exit code."""
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_COUNT else None


def count(value: Any) -> int:
    """A number of tokens or lines: 0 where it is missing, negative or absurd."""
    number = whole(value)
    return number if number is not None and number > 0 else 0


def moment(value: Any) -> datetime | None:
    """An aware UTC time from ISO 8601 text or from seconds or milliseconds since 1970; None for anything else."""
    try:
        if isinstance(value, str):
            parsed = datetime.fromisoformat(value.strip())
            return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return datetime.fromtimestamp(value / 1000 if value > 100_000_000_000 else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def kind_of(value: Any) -> str:
    """The name of a JSON value's type, in words for people."""
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "an object"}
    return names.get(type(value), "of another kind")
