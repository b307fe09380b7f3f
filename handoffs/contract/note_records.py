"""A checked handoff note as a JSON record, and back."""

from __future__ import annotations

from typing import Any

from continuity.core.note_parts import PARTS
from continuity.knowledge.handoff_note import CheckedNote, CheckedStatement, NoteVerdict
from handoffs.contract.fields import Fields

_PARTS = {name: name for name in PARTS}


def note_record(note: CheckedNote) -> dict[str, Any]:
    """The note with every statement: a contradicted one was left out of the directive, and `reason` says why."""
    return {"throughSeq": max(0, note.through_seq), "statements": [statement_record(statement) for statement in note.statements]}


def statement_record(statement: CheckedStatement) -> dict[str, Any]:
    return {
        "key": statement.key,
        "part": statement.part,
        "text": statement.text,
        "verdict": statement.verdict.value,
        "reason": statement.reason,
        "byPerson": statement.person,
    }


def read_note(fields: Fields) -> CheckedNote:
    return CheckedNote(fields.objects("statements", _read_statement), fields.integer("throughSeq", 0))


def _read_statement(fields: Fields) -> CheckedStatement:
    return CheckedStatement(
        part=fields.named("part", _PARTS),
        text=fields.text("text"),
        verdict=fields.choice("verdict", NoteVerdict, NoteVerdict.UNCONTRADICTED),
        reason=fields.text("reason", ""),
        person=fields.flag("byPerson", False),
        key=fields.text("key"),
    )
