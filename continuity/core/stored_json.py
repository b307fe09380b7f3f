"""A JSON value as Postgres keeps it in jsonb: equal but for the order of keys and the form of numbers. Pure."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

from continuity.transcripts.base.model import Message, Part


def as_stored(value: Any) -> Any:
    """The clean JSON value `value` (`transcripts.sanitise`) as a row gives it back; the very same object where nothing changes.

    Keys come by the length of their UTF-8 form and then by its bytes, tuples as lists, numbers in full instead of with an exponent.
    """
    if isinstance(value, dict):
        items = {key: as_stored(item) for key, item in sorted(value.items(), key=_place)}
        return value if _is_same(items, value) else items
    if isinstance(value, list | tuple):
        entries = [as_stored(item) for item in value]
        return value if isinstance(value, list) and all(new is old for new, old in zip(entries, value, strict=True)) else entries
    return _number(value) if isinstance(value, float) else value


def message_as_stored(message: Message) -> Message:
    """The message as its row gives it back; the very same object where nothing changes."""
    parts = tuple(_part(part) for part in message.parts)
    return message if all(new is old for new, old in zip(parts, message.parts, strict=True)) else replace(message, parts=parts)


def _part(part: Part) -> Part:
    given, data = as_stored(part.input), as_stored(part.data)
    return part if given is part.input and data is part.data else replace(part, input=given, data=data)


def _place(item: tuple[str, Any]) -> tuple[int, bytes]:
    written = item[0].encode()
    return len(written), written


def _is_same(items: dict[str, Any], value: dict[str, Any]) -> bool:
    return all(ours == theirs and items[ours] is value[theirs] for ours, theirs in zip(items, value, strict=True))


def _number(value: float) -> Any:
    """Without a sign before zero, and a whole number where it is written with an exponent that is not negative."""
    written = repr(value)
    if "e" not in written:
        return 0.0 if written == "-0.0" else value
    return json.loads(format(Decimal(written), "f"))
