"""Changing a statement of a note: other words, or none. A person's words are the person's, an agent's are checked as before."""

from uuid import UUID

from django.utils import timezone

from continuity.core.errors import Conflict, Invalid, existing
from continuity.core.transactions import atomic
from continuity.knowledge.handoff_note import CheckedNote, CheckedStatement
from continuity.models import Team
from continuity.secrets import mask_text
from continuity.services.accounts import gates
from continuity.services.events import events
from continuity.services.recording import conversations
from handoffs.models import NoteStatement, StoredNote
from handoffs.notes import form
from handoffs.notes.check import check_again, of_person
from handoffs.services.notes import note_queries
from handoffs.services.notes.note_writer import GATE
from handoffs.services.packages.authors import Author


@atomic
def edit(*, team: Team, conversation_id: UUID, note_id: UUID, key: str, text: str, author: Author) -> StoredNote:
    """Puts a statement into other words, and makes one that was dismissed count again.

    Raises Invalid where the words are none or too many, NotFound, Conflict where it was changed at the same moment, and what
    `conversations.check_usable` raises.
    """
    note, row = _held(team, conversation_id, note_id, key)
    try:
        words = mask_text(form.statement(text, "text"))
    except ValueError as error:
        raise Invalid(f"{error}.", field="text") from error
    written = CheckedNote((CheckedStatement(row.part, words, key=row.key),), note.through_seq)
    checked = of_person(written) if author.user else check_again(written, note_queries.known(note.conversation))
    now = checked.statements[0]
    return _set(
        note,
        row,
        author,
        "edit",
        text=words,
        original=row.original or row.text,
        verdict=now.verdict,
        reason=now.reason,
        unsaid=now.unsaid,
        person=now.person,
        dismissed=False,
    )


@atomic
def dismiss(*, team: Team, conversation_id: UUID, note_id: UUID, key: str, author: Author) -> StoredNote:
    """Leaves a statement out of every package from now on; it stays to be seen. Raises as `edit`."""
    note, row = _held(team, conversation_id, note_id, key)
    return _set(note, row, author, "dismiss", dismissed=True)


@atomic
def restore(*, team: Team, conversation_id: UUID, note_id: UUID, key: str, author: Author) -> StoredNote:
    """Takes a dismissal back. Raises as `edit`."""
    note, row = _held(team, conversation_id, note_id, key)
    return _set(note, row, author, "restore", dismissed=False)


def _held(team: Team, conversation_id: UUID, note_id: UUID, key: str) -> tuple[StoredNote, NoteStatement]:
    gates.require(team, GATE)
    note = note_queries.get(team=team, conversation_id=conversation_id, note_id=note_id)
    conversations.check_usable(note.conversation)
    row = existing(NoteStatement.objects.visible_to(team).filter(note=note, key=key).first(), "statement of this note")
    return note, row


def _set(note: StoredNote, row: NoteStatement, author: Author, action: str, **values: object) -> StoredNote:
    """Sets the fields where nobody else changed the statement since it was read."""
    marks = {"changed_by": author.user, "changed_with": author.key, "changed_at": timezone.now()}
    same = NoteStatement.objects.filter(id=row.id, changed_at=row.changed_at)
    if not same.update(**values, **marks):
        raise Conflict("This statement was changed at the same moment; look at it again first.")
    payload = {"note_id": str(note.id), "action": action, "key": row.key}
    events.publish(name="note.changed", team=note.team, subject_id=note.conversation_id, payload=payload)
    return note
