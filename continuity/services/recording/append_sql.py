"""The statements that every append runs, written out: composing them anew cost three times what running them does."""

import json
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection
from pydantic_core import to_json

from continuity.models import Conversation, Event
from continuity.services.recording.message_mapping import NewMessage

# Everything but the free-form metadata, which no append needs.
_FIELDS = [field.attname for field in Conversation._meta.concrete_fields if field.attname != "metadata"]
_LOCK = f"SELECT {', '.join(_FIELDS)} FROM continuity_conversation WHERE id = %s AND team_id = %s FOR UPDATE"  # noqa: S608  our own names
_COUNTERS = [
    *("status", "model", "cwd", "branch", "version", "updated_at", "active_at", "last_seq", "folded_seq", "refold_from", "rewinds"),
    *("max_context_tokens", "window_source"),
    *("message_count", "turn_count", "total_tokens", "system_tokens", "context_tokens", "last_message_tokens", "reported_usage_id"),
]
_DOCUMENTS = ("window_evidence", "given")
_SET = ", ".join(f"{name} = %s" for name in (*_COUNTERS, *_DOCUMENTS))
_SAVE = f"UPDATE continuity_conversation SET {_SET} WHERE id = %s"  # noqa: S608  our own names
_INSERT = """
INSERT INTO continuity_message (id, created_at, conversation_id, team_id, seq, external_id, role, parts, tokens, at, model, usage,
    usage_id, agent, cwd, branch, device, line, secrets, placeholder, abandoned)
SELECT id, now(), %s, %s, seq, external_id, role, parts, tokens, at, model, usage,
    usage_id, agent, cwd, branch, device, line, secrets, placeholder, false
FROM jsonb_to_recordset(%s::jsonb) AS given (id uuid, seq integer, external_id text, role text, parts jsonb, tokens integer,
    at timestamptz, model text, usage jsonb, usage_id text, agent text, cwd text, branch text, device text, line integer, secrets jsonb,
    placeholder boolean)
"""
_SENT = [
    *("id", "seq", "external_id", "role", "parts", "tokens", "at", "model", "usage", "usage_id"),
    *("agent", "cwd", "branch", "device", "line", "secrets", "placeholder"),
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
    if row is None:
        return None
    found = Conversation.from_db(connection.alias, _FIELDS, row)
    for name in _DOCUMENTS:
        setattr(found, name, json.loads(getattr(found, name)))
    return found


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
    """Stores numbered messages in one statement with one parameter."""
    sent = [{name: getattr(row, name) for name in _SENT} for row in rows]
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, [conversation.id, conversation.team_id, to_json(sent).decode()])


def save_counters(conversation: Conversation, *, now: datetime) -> None:
    """Stores what an append changes of its conversation; the caller holds the lock."""
    conversation.updated_at = now
    with connection.cursor() as cursor:
        counters = [getattr(conversation, name) for name in _COUNTERS]
        documents = [json.dumps(getattr(conversation, name)) for name in _DOCUMENTS]
        cursor.execute(_SAVE, [*counters, *documents, conversation.id])


def insert_event(event: Event) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO continuity_event (id, created_at, team_id, name, subject_id, payload, critical, correlation_id, "
            "traceparent, dispatched_at, relayed_at, attempts) "
            "VALUES (%s, %s, %s, %s, %s, %s::jsonb, %s, %s, %s, %s, %s, 0)",
            [
                *(event.id, event.created_at, event.team_id, event.name, event.subject_id, json.dumps(event.payload)),
                *(event.critical, event.correlation_id, event.traceparent, event.dispatched_at, event.relayed_at),
            ],
        )
