"""Reading a conversation's notes, and what they are checked against."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Prefetch

from continuity import queries
from continuity.core.errors import existing
from continuity.knowledge import NewerState
from continuity.knowledge.handoff_note import CheckedNote
from continuity.knowledge.model import Knowledge
from continuity.models import Conversation, Team
from continuity.services.knowledge import fold_runner
from handoffs.building.masking import masked
from handoffs.models import NoteStatement, StoredNote
from handoffs.models.notes import RANK, NoteAuthor
from handoffs.notes import summary
from handoffs.notes.check import check_again


def notes_of(conversation: Conversation, *, limit: int | None = None) -> Sequence[StoredNote]:
    """The notes with their statements, the newest first; bounded by what is kept (`writing.KEPT`). Two queries."""
    statements = NoteStatement.objects.select_related("changed_by")
    notes = StoredNote.objects.filter(conversation=conversation).newest_first().select_related("made_by", "made_with__created_by")
    return list(notes.prefetch_related(Prefetch("statements", statements))[:limit])


def get(*, team: Team, conversation_id: UUID, note_id: UUID) -> StoredNote:
    """Raises NotFound."""
    return existing(
        StoredNote.objects.visible_to(team).filter(conversation_id=conversation_id, id=note_id).select_related("conversation").first(),
        "note of this conversation",
    )


def newest(conversation: Conversation) -> StoredNote | None:
    """The note that a package is made with: the one written last in the conversation, by whoever knew most. At most two queries."""
    notes = StoredNote.objects.filter(conversation=conversation).only("id", "kind", "through_seq", "number", "conversation")
    return max(notes, key=lambda note: (note.through_seq, -RANK[NoteAuthor(note.kind)], note.number), default=None)


def in_use(conversation: Conversation, knowledge: Knowledge) -> CheckedNote | None:
    """The newest note, checked again against what is known by now; a tool's summary that is newer is one. At most three queries."""
    note = newest(conversation)
    told = summary.latest(knowledge)
    if told is not None and (note is None or note.through_seq < told.seq):
        return summary.note_of(knowledge)
    return check_again(masked(note.as_checked()), knowledge) if note is not None else None


def known(conversation: Conversation) -> Knowledge:
    """The knowledge of a conversation so far, secrets masked. A fixed number of queries. Raises NewerRules."""
    try:
        knowledge = queries.knowledge_of(conversation)
    except NewerState as error:
        raise fold_runner.newer_rules(error.found) from error
    return masked(knowledge)
