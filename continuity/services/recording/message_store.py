"""Messages in the form that distilling reads: from their rows, or, where this process stored them itself, as it kept them."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from datetime import UTC
from typing import Any
from uuid import UUID

from django.db import connection

from continuity.core.stored_json import as_stored
from continuity.models import Conversation
from continuity.pipeline import Numbered
from continuity.services.recording.message_mapping import NewMessage
from continuity.transcripts.base.model import Message, Part, Role, Usage

_BETWEEN = """
SELECT seq, tokens, role, parts, external_id, line, at, model, usage_id, usage, cwd, branch, agent FROM continuity_message
WHERE conversation_id = %s AND seq > %s AND seq <= %s AND NOT abandoned ORDER BY seq
"""
_ABANDONED = "SELECT seq FROM continuity_message WHERE conversation_id = %s AND seq > %s AND seq <= %s AND abandoned"
_OBJECTS = {"input", "data"}  # what Postgres changes of a part: the rest are texts and whole numbers


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


class Kept:
    """Messages that this process stored itself, as their rows have them, so that folding does not read them again.

    What changes stored messages, a rewind of some of them or an erasure, counts as a rewind of the conversation: what was kept before
    one is not handed out.
    """

    def __init__(self) -> None:
        self._messages: deque[Numbered] = deque()
        self._rewinds = 0

    def add(self, conversation: Conversation, rows: Sequence[NewMessage]) -> None:
        """Keeps rows that were just stored, under the lock with which `conversation` was read."""
        if conversation.rewinds != self._rewinds:
            self._messages.clear()
            self._rewinds = conversation.rewinds
        self._messages.extend(map(of_recorded, rows))

    def take(self, conversation: Conversation, after: int, through: int) -> list[Numbered] | None:
        """What `between` reads, given up with all before it; None where not all of it is here. One query."""
        kept = self._messages
        while kept and kept[0][0] <= after:
            kept.popleft()
        taken = []
        while kept and kept[0][0] <= through:
            taken.append(kept.popleft())
        if conversation.rewinds != self._rewinds or len(taken) != through - after:
            return None  # something was erased, or somebody else stored some of them
        with connection.cursor() as cursor:
            cursor.execute(_ABANDONED, [conversation.id, after, through])
            abandoned = {seq for (seq,) in cursor.fetchall()}
        return [each for each in taken if each[0] not in abandoned] if abandoned else taken


def of_recorded(row: NewMessage) -> Numbered:
    """The message as its row gives it back."""
    parts = tuple(Part.from_json(part | {name: as_stored(part[name]) for name in _OBJECTS & part.keys()}) for part in row.parts)
    usage = Usage(**row.usage) if row.usage else None
    at = row.at and (row.at.astimezone(UTC) if row.at.tzinfo else row.at.replace(tzinfo=UTC))
    rest = (row.line, at, row.model, row.usage_id, usage, row.cwd, row.branch, row.agent)
    return row.seq, Message(Role(row.role), parts, row.external_id, *rest), row.tokens
