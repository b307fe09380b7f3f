"""A note that comes after a package was made: the package that waits is made again with it."""

import logging
from uuid import UUID

from continuity.core.errors import DomainError
from handoffs.models import Handoff, HandoffStatus, StoredNote
from handoffs.services.edits import package_edits
from handoffs.services.packages.authors import NOBODY

logger = logging.getLogger("continuity.handoffs")


def take_in(*, conversation_id: UUID) -> bool:
    """Makes the automatic package of a conversation that waits to be resumed again, where its newest note is not in it. Whether it did.

    Twice is once. A package that would not pass its check with the note stays as it is.
    """
    handoff = (
        Handoff.objects.filter(conversation=conversation_id, automatic=True, status__in=(HandoffStatus.DRAFT, HandoffStatus.READY))
        .select_related("team")
        .order_by("-created_at")
        .first()
    )
    note = StoredNote.objects.filter(conversation=conversation_id).newest_first().prefetch_related("statements").first()
    if handoff is None or note is None:
        return False
    told = (handoff.rest.get("note") or {"statements": ()})["statements"]
    if [each["key"] for each in told] == [row.key for row in note.statements.all() if not row.dismissed]:
        return False
    try:
        package_edits.regenerate(team=handoff.team, handoff_id=handoff.id, author=NOBODY, changes={})
    except DomainError as refused:
        logger.warning("[CONT:HANDOFF] Handoff %s was not made again with the note: %s", handoff.id, refused.detail)
        return False
    return True
