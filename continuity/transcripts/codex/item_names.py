"""How an item, its call and its tool are named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.fields import identifier, label


def tool_name(item: Mapping[str, Any]) -> str:
    name = label(item.get("name"))
    if not name:
        raise BadRecord("is a tool call without a name")
    return label(item.get("namespace")) + name


def call_id_of(item: Mapping[str, Any]) -> str:
    return identifier(item.get("call_id")) or identifier(item.get("id"))


def record_name(kind: str, item: Mapping[str, Any]) -> str:
    """The record's own id: a call and its output share one, so that the kind belongs to it."""
    own = call_id_of(item)
    return f"{kind}:{own}" if own else ""
