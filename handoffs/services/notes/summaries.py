"""A summary that a tool wrote at a compaction, kept as a note of its place."""

import logging

from continuity.core.errors import DomainError
from continuity.knowledge.model import Knowledge
from continuity.models import Conversation
from handoffs.models import NoteAuthor, StoredNote
from handoffs.notes import summary
from handoffs.services.notes import note_writer

logger = logging.getLogger("continuity.handoffs")


def keep(conversation: Conversation, knowledge: Knowledge) -> None:
    """Stores the note of a summary that a package was made with. Twice is once; where knowledge was taken back meanwhile, nothing is."""
    row = summary.latest(knowledge)
    if row is None or knowledge.note is None or knowledge.note.through_seq != row.seq:
        return
    if StoredNote.objects.filter(conversation=conversation, through_seq__gte=row.seq).exists():
        return
    try:
        note_writer.store(conversation, knowledge.note, NoteAuthor.SUMMARY)
    except DomainError as refused:  # The package is made; only its conversation was ended at the same moment.
        logger.info("The summary of %s was not kept as a note: %s", conversation.id, refused.detail)
