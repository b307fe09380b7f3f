"""Who joins a group late is briefed on what was said: with a checked package of its conversation, not with its raw log."""

import logging
from functools import partial
from uuid import UUID

from continuity.core.errors import DomainError
from continuity.core.transactions import atomic
from continuity.models import GroupParticipant
from continuity.services.events import events
from continuity.services.jobs import sweep_parts
from handoffs.services.packages import preparation

logger = logging.getLogger("continuity.handoffs")

REASON = "An agent joined the group"
PASSING = 503
AT_ONCE = 50


def brief(*, participant_id: UUID) -> None:
    """Prepares the briefing, whose id is the participant's, so that twice is once. Where none can be made the agent reads the shared
    context alone, which the log says."""
    row = GroupParticipant.objects.select_related("group__team", "agent").filter(id=participant_id, handoff_id=None).first()
    if row is None or not row.joined_seq:
        return
    options = preparation.options_of(trigger_reason=REASON)
    group = row.group
    try:
        preparation.prepare(team=group.team, conversation_id=group.conversation_id, options=options, handoff_id=row.id)
    except DomainError as error:
        if error.status == PASSING:
            raise
        logger.warning("No briefing for who joined late", extra={"metadata": {"participant": str(row.id), "error": error.code}})
        GroupParticipant.objects.filter(id=row.id).update(joined_seq=0)
        return
    _keep(row)


@atomic
def _keep(row: GroupParticipant) -> None:
    if GroupParticipant.objects.filter(id=row.id, handoff_id=None).update(handoff_id=row.id):
        payload = {"agent": row.agent.name, "handoff_id": str(row.id)}
        events.publish(name="group.joiner_briefed", team=row.group.team, subject_id=row.group.id, payload=payload)


def brief_pending() -> None:
    """Those whose worker died or never heard of them, each by itself."""
    ids = GroupParticipant.objects.filter(handoff_id=None, joined_seq__gt=0).order_by("created_at").values_list("id", flat=True)
    sweep_parts.all_of(**{str(each): partial(brief, participant_id=each) for each in ids[:AT_ONCE]})
