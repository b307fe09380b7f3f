"""Holding a handoff for a change: the chain first, as preparing, resuming and cleaning lock it."""

from collections.abc import Container
from uuid import UUID

from django.utils import timezone

from continuity.core.errors import HandoffGone, NotEditable, VersionMismatch, existing
from continuity.models import Team
from continuity.services.recording import conversations
from handoffs.models import Handoff, HandoffChain, HandoffStatus
from handoffs.services.packages import handoffs

# A failed package may still be mended.
EDITABLE = frozenset((HandoffStatus.DRAFT, HandoffStatus.READY, HandoffStatus.FAILED))


def lock(*, team: Team, handoff_id: UUID, version: int | None, among: Container[str] = EDITABLE) -> Handoff:
    """The team's handoff, locked until the caller's transaction ends.

    Raises NotFound; HandoffGone (410) where it was deleted or expired; SessionInvalidated (410); VersionMismatch (412)
    where `version` is given and not the current one; NotEditable (409) where its status is not `among` those.
    """
    chain_id = handoffs.get(team=team, handoff_id=handoff_id).chain_id
    HandoffChain.objects.select_for_update().filter(id=chain_id).first()
    rows = Handoff.objects.visible_to(team).select_for_update(of=("self",)).select_related("conversation", "chain", "team", "owner")
    handoff = existing(rows.filter(id=handoff_id).first(), "handoff")
    if handoff.resumed_at is None and handoff.expires_at <= timezone.now():
        raise HandoffGone(f"This handoff expired on {handoff.expires_at:%Y-%m-%d}.", reason="expired")
    conversations.check_usable(handoff.conversation)
    if version is not None and version != handoff.version:
        raise VersionMismatch(current=handoff.version, given=version)
    if handoff.status not in among:
        raise NotEditable(handoff_status=handoff.status)
    return handoff
