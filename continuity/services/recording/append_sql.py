"""The statements that every append runs, put together by `row_sql`: the ORM's own cost three times what running them does."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection

from continuity.models import Conversation, Message
from continuity.services.recording import row_sql
from continuity.services.recording.message_mapping import NewMessage

# Everything but the free-form metadata, which no append needs.
_FIELDS = [field.attname for field in Conversation._meta.concrete_fields if field.attname != "metadata"]
_COLUMNS = row_sql.columns(Conversation, *_FIELDS, of="conversation")
_LOCK = f"SELECT {_COLUMNS} FROM continuity_conversation conversation WHERE id = %s AND team_id = %s FOR UPDATE"  # noqa: S608  our own names
_CHANGED = [
    *("status", "model", "cwd", "branch", "version", "updated_at", "active_at", "last_seq", "folded_seq", "refold_from", "rewinds"),
    *("max_context_tokens", "window_source", "window_evidence", "given"),
    *("message_count", "turn_count", "total_tokens", "system_tokens", "context_tokens", "last_message_tokens", "reported_usage_id"),
]


def model_of(*, team_id: UUID, conversation_id: UUID) -> str:
    """The model that the conversation's tokens are counted for; empty where there is no such conversation."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT model FROM continuity_conversation WHERE id = %s AND team_id = %s", [conversation_id, team_id])
        row = cursor.fetchone()
    return row[0] if row else ""


def lock(*, team_id: UUID, conversation_id: UUID) -> Conversation | None:
    """The team's conversation (its metadata deferred), locked until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [conversation_id, team_id])
        row = cursor.fetchone()
    return row_sql.read(Conversation, row, *_FIELDS) if row else None


def known(rows: Sequence[NewMessage]) -> dict[str, int]:
    """The numbers of those messages that are stored already, by their external ids.

    Asked for by primary key alone: with a condition on the conversation, a planner whose statistics do not know it yet
    reads all of its messages.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, seq FROM continuity_message WHERE id = ANY(%s)", [[row.id for row in rows]])
        stored = dict(cursor.fetchall())
    # By the id that was sent: the stored one may be redacted.
    return {row.external_id: stored[row.id] for row in rows if row.id in stored}


def insert(conversation: Conversation, rows: Sequence[NewMessage]) -> None:
    """Stores numbered messages in one statement."""
    row_sql.insert_records(
        Message, rows, stamped="created_at", conversation_id=conversation.id, team_id=conversation.team_id, abandoned=False
    )


def save_counters(conversation: Conversation, *, now: datetime) -> None:
    """Stores what an append changes of its conversation; the caller holds the lock."""
    conversation.updated_at = now
    row_sql.update(conversation, **{name: getattr(conversation, name) for name in _CHANGED})
