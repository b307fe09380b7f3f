"""Writing, reading and changing the handoff notes of a conversation."""

from typing import Any
from uuid import UUID

from ninja import Router, Status

from continuity.api.access import HANDOFF, READ, ApiRequest
from continuity.api.idempotent import idempotent
from continuity.api.jobs import JobOut
from continuity.api.problems import answers
from continuity.core.errors import Invalid
from continuity.services.recording import conversations
from handoffs.api.authoring import author
from handoffs.api.folding import caught_up
from handoffs.api.notes.forms import NoteIn, NoteOut, StatementIn, WrittenNoteOut
from handoffs.models import NoteAuthor, StoredNote
from handoffs.notes import form
from handoffs.notes.note import HandoffNote
from handoffs.services.notes import model_notes, note_edits, note_queries, note_writer

router = Router(tags=["handoff notes"])

OF_CONVERSATION = "/conversations/{uuid:conversation_id}/notes"


@router.post(OF_CONVERSATION, auth=HANDOFF, response=answers(WrittenNoteOut, 201, 410), summary="Write a handoff note")
@caught_up
@idempotent
def write_note(request: ApiRequest, conversation_id: UUID, payload: NoteIn) -> Status[WrittenNoteOut]:
    """Stores the note of an outgoing agent to its successor, checked statement by statement against what is known of the conversation.

    The answer names the statements that did not hold and why, so that the note can be mended and written again: the newest one goes into
    packages.
    """
    by = author(request)
    kind = NoteAuthor.PERSON if by.user else NoteAuthor.AGENT
    written = note_writer.write(team=request.auth.team, conversation_id=conversation_id, note=_note(payload), kind=kind, author=by)
    return Status(201, WrittenNoteOut.of(written))


@router.post(f"{OF_CONVERSATION}/by-model", auth=HANDOFF, response=answers(JobOut, 202, 409, 410), summary="Have a note written")
def have_note_written(request: ApiRequest, conversation_id: UUID) -> Status[JobOut]:
    """Has the configured model write a note from what is known, in the background; a statement without a source is dropped. 409 where no
    model is set up."""
    job = model_notes.submit(team=request.auth.team, conversation_id=conversation_id)
    return Status(202, JobOut.from_orm(job))


@router.get(OF_CONVERSATION, auth=READ, response=answers(list[NoteOut]), summary="List handoff notes")
def list_notes(request: ApiRequest, conversation_id: UUID) -> Status[list[StoredNote]]:
    """The notes that are kept, at most 20, the newest first, each statement with its verdict."""
    conversation = conversations.get(team=request.auth.team, conversation_id=conversation_id)
    return Status(200, list(note_queries.notes_of(conversation)))


@router.patch(f"{OF_CONVERSATION}/{{uuid:note_id}}", auth=HANDOFF, response=answers(NoteOut, 200, 409, 410), summary="Change a statement")
def change_note(request: ApiRequest, conversation_id: UUID, note_id: UUID, payload: StatementIn) -> Status[StoredNote]:
    """Edits or dismisses one statement, or takes a dismissal back. A key's words are checked as a note is, a person's are the person's."""
    place: dict[str, Any] = {"team": request.auth.team, "conversation_id": conversation_id, "note_id": note_id, "author": author(request)}
    if payload.action == "edit":
        return Status(200, note_edits.edit(key=payload.key, text=payload.text, **place))
    return Status(200, (note_edits.dismiss if payload.action == "dismiss" else note_edits.restore)(key=payload.key, **place))


def _note(payload: NoteIn) -> HandoffNote:
    """Raises Invalid, naming the statement."""
    try:
        return form.read(payload.model_dump())
    except ValueError as error:
        raise Invalid(f"{error}.", field=str(error).partition(":")[0]) from error
