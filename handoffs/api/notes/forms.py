"""Handoff notes as callers send and get them."""

from typing import Annotated, Any, Literal
from uuid import UUID

from ninja import Field, Schema
from pydantic import AwareDatetime, ConfigDict

from continuity.api.masks import MaskedText
from continuity.core.note_parts import LONGEST, MOST, PARTS
from continuity.knowledge.handoff_note import NoteVerdict
from handoffs.models import NoteAuthor, StoredNote
from handoffs.services.notes.note_writer import WrittenNote

Statements = Annotated[list[Annotated[str, Field(max_length=LONGEST)]], Field(max_length=MOST)]


class NoteIn(Schema):
    """A note: each part is a list of short statements. At least one statement; parts that have nothing to tell are left out."""

    model_config = ConfigDict(extra="forbid")

    request: Statements = Field([], description=PARTS["request"], examples=[["Keep tabs in the importer."]])
    now: Statements = Field([], description=PARTS["now"], examples=[["parser.py is changed; pytest was not run since."]])
    next: Statements = Field([], description=PARTS["next"], examples=[["Run `pytest tests/importer`."]])
    remaining: Statements = Field([], description=PARTS["remaining"])
    rules: Statements = Field([], description=PARTS["rules"])
    decisions: Statements = Field([], description=PARTS["decisions"])
    broken_approaches: Statements = Field([], description=PARTS["broken_approaches"])
    history: Statements = Field([], description=PARTS["history"])
    files: Statements = Field([], description=PARTS["files"])
    lessons: Statements = Field([], description=PARTS["lessons"])


class StatementOut(Schema):
    """A statement with its verdict. A contradicted or dismissed one is left out of packages; `reason` says what stands against it, or what
    was not found."""

    key: str
    part: str
    text: MaskedText
    original: MaskedText = Field(description="What stood here before it was first edited; empty where it was not.")
    verdict: NoteVerdict
    reason: MaskedText
    unsaid: bool = Field(description="Contradicted since nobody was found to have said so.")
    person: bool = Field(description="A person's own words.")
    dismissed: bool
    changed_by_id: UUID | None
    changed_with_id: UUID | None
    changed_at: AwareDatetime | None


class NoteOut(Schema):
    """A note of a conversation; it was written when message `through_seq` was the last one."""

    id: UUID
    conversation_id: UUID
    number: int
    kind: NoteAuthor
    model: MaskedText
    through_seq: int
    made_by_id: UUID | None
    made_with_id: UUID | None
    created_at: AwareDatetime
    statements: list[StatementOut]

    @staticmethod
    def resolve_statements(note: "StoredNote | NoteOut") -> list[Any]:
        """Of a row, or of an answer that was made of one already."""
        return list(note.statements.all()) if isinstance(note, StoredNote) else list(note.statements)


class RefutedOut(Schema):
    """A statement that did not hold, and why."""

    part: str
    text: str
    reason: str


class WrittenNoteOut(Schema):
    """The note as it is stored, the statements that did not hold, and those that nothing confirmed.

    Mend what did not hold and write the note again: the newest one counts.
    """

    note: NoteOut
    contradicted: list[RefutedOut]
    unconfirmed: list[RefutedOut]
    made: bool = Field(description="False where the same note stood there already.")
    dropped: int = Field(description="Older notes that were deleted, since only the newest 20 are kept.")

    @classmethod
    def of(cls, written: WrittenNote) -> "WrittenNoteOut":
        note = NoteOut.from_orm(written.note)

        def those(verdict: NoteVerdict) -> list[RefutedOut]:
            found = [row for row in note.statements if row.verdict == verdict and not row.dismissed]
            return [RefutedOut(part=row.part, text=row.text, reason=row.reason) for row in found]

        return cls(
            note=note,
            contradicted=those(NoteVerdict.CONTRADICTED),
            unconfirmed=those(NoteVerdict.UNCONTRADICTED),
            made=written.made,
            dropped=written.dropped,
        )


class StatementIn(Schema):
    """A change of one statement, named by its key: `edit` takes `text`; what a person writes is the person's word."""

    model_config = ConfigDict(extra="forbid")

    key: Annotated[str, Field(max_length=24, examples=["n0035f0c8d1e2a3b4c5d"])]
    action: Literal["edit", "dismiss", "restore"]
    text: Annotated[str, Field(max_length=LONGEST)] = ""
