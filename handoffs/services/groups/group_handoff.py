"""A whole group goes on in a new conversation, briefed as any successor is."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from django.utils import timezone

from continuity.core.errors import Conflict, NotResumable
from continuity.core.transactions import atomic
from continuity.groups.model import TurnStatus
from continuity.models import Conversation, Group, GroupParticipant, GroupSelection, Team, User
from continuity.services.events import events
from continuity.services.groups import groups
from handoffs.models import HandoffStatus
from handoffs.services.chains import resumption
from handoffs.services.packages import preparation

REASON = "The group goes on in a new conversation"


@dataclass(frozen=True, slots=True)
class MovedGroup:
    handoff_id: UUID
    conversation_id: UUID


def hand_over(*, team: Team, group_id: UUID, budget: int, by: User | None = None) -> MovedGroup:
    """Prepares a checked briefing of the group's conversation and goes on from it: the turn at hand is over, participants, workflow, rules
    and limits are as they were. Raises NotFound, GroupOver, NotResumable where the briefing fails its check, and what preparing raises."""
    group = groups.get(team=team, group_id=group_id)
    options = preparation.options_of(budget=budget, trigger_reason=REASON)
    handoff = preparation.prepare(team=team, conversation_id=group.conversation_id, options=options, owner=by, handoff_id=uuid4())
    if handoff.status != HandoffStatus.READY:
        raise NotResumable(handoff_status=handoff.status)
    new = _go_over(team, group, handoff.id, by)
    return MovedGroup(handoff.id, new.id)


@atomic
def _go_over(team: Team, before: Group, handoff_id: UUID, by: User | None) -> Conversation:
    """In one transaction, so that nothing can be said in the old conversation once the new one has begun."""
    new = resumption.resume(team=team, handoff_id=handoff_id, resumed_by=by).conversation
    group = groups.lock_open(team=team, group_id=before.id)
    if group.conversation_id != before.conversation_id:
        raise Conflict("The group was handed over by somebody else just now.")
    now = timezone.now()
    GroupSelection.objects.filter(group=group, status=TurnStatus.OPEN).update(status=TurnStatus.TAKEN_BACK, over_at=now)
    GroupParticipant.objects.filter(group=group).update(handoff_id=handoff_id)
    Group.objects.filter(id=group.id).update(
        conversation=new, asked_at=now, asked_seq=min(group.asked_seq, 1), due_at=now, advice={}, turns=0, tokens=0
    )
    payload = {"handoff_id": str(handoff_id), "conversation_id": str(new.id), "before": str(before.conversation_id)}
    events.publish(name="group.handed_over", team=team, subject_id=group.id, payload=payload)
    return new
