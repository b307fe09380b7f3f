"""A group's workflow: where it is, and how it goes from step to step (FR-021)."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from continuity.core.errors import Invalid, VersionMismatch
from continuity.core.transactions import atomic
from continuity.groups.model import GroupStatus, RoutingAction
from continuity.groups.routing import read, route
from continuity.groups.workflow import END, BadWorkflow
from continuity.models import Conversation, Group, GroupTransition, Team
from continuity.services.events import events
from continuity.services.groups import groups, situations

__all__ = ["END", "advance", "follow_events", "move"]


@atomic
def move(*, team: Team, group_id: UUID, to: str, version: int, by: str, now: datetime) -> Group:
    """A person moves the workflow on, or back to any step. Raises NotFound, GroupOver, Invalid; VersionMismatch where it moved since."""
    group = groups.lock_open(team=team, group_id=group_id)
    if version != group.workflow_version:
        raise VersionMismatch(current=group.workflow_version, given=version)
    if to != END and group.steps.step(to) is None:
        raise Invalid("The workflow has no such step.", field="to")
    _go(group, to, by=by)
    return group


def advance(group: Group, *, to: str, by: str, now: datetime, seen: Sequence[str] = ()) -> None:
    """Ends the present step, and goes on to `to` ("": its usual next one). The caller holds the group's lock. Raises Invalid."""
    try:
        after = group.steps.after(group.step, to=to)
    except BadWorkflow as error:
        raise Invalid(f"{error}.", field="to_step") from error
    _go(group, after, by=by, seen=seen)


def _go(group: Group, after: str, *, by: str, seen: Sequence[str] = ()) -> None:
    before, version = group.step, group.workflow_version + 1
    last = Conversation.objects.values_list("last_seq", flat=True).get(id=group.conversation_id)
    GroupTransition.objects.create(group=group, version=version, before=before, after=after, by=by, seq=last, events=list(seen))
    Group.objects.filter(id=group.id).update(step=after, workflow_version=version)
    group.step, group.workflow_version = after, version
    payload = {"before": before, "after": after, "version": version}
    events.publish(name="group.step_ended", team=group.team, subject_id=group.id, payload=payload)


def follow_events(group: Group, *, now: datetime) -> None:
    """Advances the workflow where a rule says so, by each event once. The caller holds the group's lock."""
    if not any(each["action"] == RoutingAction.ADVANCE for each in group.rules):
        return
    seen, position = situations.events_after(group, group.advanced_position)
    if not seen:
        return
    flow = group.steps
    for to, event in route(read(group.rules, flow), seen).advances:
        step = flow.step(group.step)
        if step is not None and (not to or to in step.next):
            advance(group, to=to, by="a rule", now=now, seen=[event])
            if group.status == GroupStatus.WAITING and group.step != END:
                groups.set_status(group, GroupStatus.ACTIVE, now=now, due_at=now)
    Group.objects.filter(id=group.id).update(advanced_position=position)
    group.advanced_position = position


def of(group_id: UUID) -> list[GroupTransition]:
    """The latest first, at most 100."""
    return list(GroupTransition.objects.filter(group=group_id).order_by("-version")[:100])
