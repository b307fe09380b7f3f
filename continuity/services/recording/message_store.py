"""Stored messages in the form that folding reads."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.db import connection

from continuity.pipeline import Numbered
from continuity.transcripts.base.model import Message, Part, Role, Usage

_BETWEEN = """
SELECT seq, tokens, role, parts, external_id, line, at, model, usage_id, usage, cwd, branch, agent FROM continuity_message
WHERE conversation_id = %s AND seq > %s AND seq <= %s AND NOT abandoned ORDER BY seq
"""


def between(conversation_id: UUID, after: int, through: int) -> list[Numbered]:
    """The messages after one number and through another, without those that were rewound. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_BETWEEN, [conversation_id, after, through])
        return [_of_row(*row) for row in cursor.fetchall()]


def _of_row(seq: int, tokens: int, role: str, parts: str, *said: Any) -> Numbered:
    external_id, line, at, model, usage_id, usage, cwd, branch, agent = said
    read = tuple(Part.from_json(part) for part in json.loads(parts))
    reported = Usage(**json.loads(usage)) if usage else None
    return seq, Message(Role(role), read, external_id, line, at, model, usage_id, reported, cwd, branch, agent), tokens
