"""Messages whose place is held until they can be stored: their sender says why, and sends them again.

A placeholder is a message like any other, in its place and under its external id, with a sentence of ours instead of the words.
The message that comes later under that id takes its number; what was folded since is folded again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db import connection
from pydantic_core import to_json

from continuity.models import Conversation
from continuity.services.recording import message_mapping
from continuity.services.recording.message_mapping import NewMessage
from continuity.transcripts.base import model as transcript
from continuity.usage.token_ledger import fill

TEXT = "[Continuity: this message is not stored. {why}]"

_KNOWN = "SELECT external_id FROM continuity_message WHERE id = ANY(%s) AND placeholder"
_COLUMNS = ("role", "parts", "tokens", "at", "model", "usage", "usage_id", "agent", "cwd", "branch", "device", "line", "secrets")
_FILL = f"""
UPDATE continuity_message AS kept SET placeholder = false, {", ".join(f"{name} = given.{name}" for name in _COLUMNS)}
FROM jsonb_to_recordset(%s::jsonb) AS given (id uuid, role text, parts jsonb, tokens integer, at timestamptz, model text, usage jsonb,
    usage_id text, agent text, cwd text, branch text, device text, line integer, secrets jsonb)
WHERE kept.id = given.id AND kept.placeholder
"""  # noqa: S608  our own names


def message(role: transcript.Role, external_id: str, why: str) -> transcript.Message:
    """A message that holds the place of another one. Its words are the harness's, so that nothing of it counts as said."""
    text = transcript.Part(transcript.PartKind.TEXT, transcript.Voice.HARNESS, TEXT.format(why=why))
    return transcript.Message(role, (text,), external_id)


def fill_in(
    conversation: Conversation, rows: Sequence[NewMessage], messages: Sequence[transcript.Message], known: Mapping[str, int]
) -> int:
    """Stores messages over their placeholders. `rows` are those of the messages, `known` the numbers of all of them. Returns how many.

    The caller holds the conversation's lock, and stores its counters. One query where nothing is to be filled in.
    """
    given = {row.external_id: (row, said) for row, said in zip(rows, messages, strict=True) if not row.placeholder}
    filled = [given[name] for name in _placeholders([row.id for row, _said in given.values()])]
    if not filled:
        return 0
    sent = [{"id": row.id} | {name: getattr(row, name) for name in _COLUMNS} for row, _message in filled]
    with connection.cursor() as cursor:
        cursor.execute(_FILL, [to_json(sent).decode()])
    ledger = message_mapping.ledger_of(conversation)
    for row, said in filled:
        ledger = fill(ledger, said, row.tokens)
    message_mapping.apply_ledger(conversation, ledger)
    message_mapping.read_again(conversation, min(known[row.external_id] for row, _said in filled))
    return len(filled)


def _placeholders(ids: list[UUID]) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN, [ids])
        return [name for (name,) in cursor.fetchall()]
