"""Groups of a team: made, joined, left, changed, closed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Max

from continuity.core.errors import Conflict, GroupFull, GroupOver, Invalid, NotFound, existing
from continuity.core.transactions import atomic
from continuity.groups import routing, workflow
from continuity.groups.limits import BadLimit, GroupLimits
from continuity.groups.model import MOST_PARTICIPANTS, GroupStatus, TurnStatus
from continuity.groups.strategies import STRATEGIES
from continuity.models import Agent, Conversation, Group, GroupParticipant, GroupSelection, Team
from continuity.secrets import mask_text
from continuity.services.agents import admission
from continuity.services.events import event_replay, events
from continuity.services.groups import group_sql
from continuity.services.recording import conversations
from continuity.services.recording.row_sql import update

USUAL = "expertise"


@dataclass(frozen=True, slots=True)
class ParticipantInput:
    """A participant; empty fields are as the agent has them."""

    agent: str
    role: str = ""
    expertise: Sequence[str] = ()
    priority: int | None = None
    excluded: bool = False


def get(*, team: Team, group_id: UUID) -> Group:
    """Raises NotFound, also for another team's."""
    found = existing(Group.objects.visible_to(team).select_related("conversation").filter(id=group_id).first(), "group")
    found.team = team
    return found


def lock(*, team: Team, group_id: UUID) -> Group:
    """The group, locked; whoever locks its conversation too does that first. Raises NotFound."""
    found = existing(group_sql.lock(team_id=team.id, group_id=group_id), "group")
    found.team = team
    return found


def lock_open(*, team: Team, group_id: UUID) -> Group:
    """Raises NotFound, and GroupOver where it was closed."""
    found = lock(team=team, group_id=group_id)
    if found.status == GroupStatus.CLOSED:
        raise GroupOver
    return found


@atomic
def create(
    *,
    team: Team,
    participants: Sequence[ParticipantInput],
    now: datetime,
    title: str = "",
    strategy: str = USUAL,
    limits: Mapping[str, Any] | None = None,
    steps: Sequence[Mapping[str, Any]] = (),
    rules: Sequence[Mapping[str, Any]] = (),
    model: str = "",
    created_by: str = "",
) -> Group:
    """A group with a conversation of its own. It begins with the first message of a person.

    Raises Invalid, NotFound (agent), GroupFull; TeamDegraded while several agents of the team fail, AllSessionsTaken at the limit.
    """
    Team.objects.select_for_update(no_key=True).get(id=team.id)
    admission.admit_group(team=team)
    if len(participants) > MOST_PARTICIPANTS:
        raise GroupFull(limit=MOST_PARTICIPANTS)
    settings = _checked(strategy, limits or {}, steps, rules)
    made = conversations.create(team=team, title=title, model=model, source_tool=conversations.GROUP_TOOL)
    latest = event_replay.latest()
    group = Group.objects.create(
        team=team,
        conversation=made,
        status_at=now,
        asked_at=now,
        routed_position=latest,
        advanced_position=latest,
        step=workflow.read(settings["workflow"]).first,
        created_by=created_by,
        **settings,
    )
    events.publish(name="group.created", team=team, subject_id=group.id, payload={"conversation_id": str(made.id), "strategy": strategy})
    for each in participants:
        _join(group, each, made)
    return group


def _checked(
    strategy: str, limits: Mapping[str, Any], steps: Sequence[Mapping[str, Any]], rules: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Columns of a group. Raises Invalid, which names the field."""
    if strategy not in STRATEGIES:
        raise Invalid(f"The strategy is one of {', '.join(STRATEGIES)}.", field="strategy")
    try:
        GroupLimits.of(limits)
        flow = workflow.read(steps)
        known = routing.read(rules, flow)
    except BadLimit as error:
        raise Invalid(f"{error}.", field="limits") from error
    except workflow.BadWorkflow as error:
        raise Invalid(f"{error}.", field="workflow") from error
    except routing.BadRoute as error:
        raise Invalid(f"{error}.", field="rules") from error
    masked = [{**each, "title": mask_text(each["title"])} for each in flow.as_json()]
    return {"strategy": strategy, "limits": dict(limits), "workflow": masked, "rules": [each.as_json() for each in known]}


@atomic
def join(*, team: Team, group_id: UUID, given: ParticipantInput, now: datetime) -> GroupParticipant:
    """One more agent. Who joins after something was said gets a briefing. Twice is once, with what is given now.

    Raises NotFound (group, agent), GroupOver, GroupFull.
    """
    conversation = Conversation.objects.select_for_update(no_key=True).filter(group__id=group_id, team=team).first()
    group = lock_open(team=team, group_id=group_id)
    if conversation is None or conversation.id != group.conversation_id:
        raise NotFound(noun="group")
    known = GroupParticipant.objects.filter(group=group, agent__name=given.agent).select_related("agent").first()
    if known is not None:
        about = {"role": given.role, "expertise": list(given.expertise), "priority": given.priority, "excluded": given.excluded}
        GroupParticipant.objects.filter(id=known.id).update(**about)
        known.refresh_from_db()
        return known
    if group.participants.count() >= MOST_PARTICIPANTS:
        raise GroupFull(limit=MOST_PARTICIPANTS)
    joined = _join(group, given, conversation)
    if group.status == GroupStatus.SUSPENDED:
        Group.objects.filter(id=group.id).update(due_at=now)
    return joined


def _join(group: Group, given: ParticipantInput, conversation: Conversation) -> GroupParticipant:
    agent = Agent.objects.visible_to(group.team).filter(name=given.agent).first()
    if agent is None:
        raise NotFound(noun=f"agent {given.agent}" if given.agent.isascii() else "agent")
    if group.participants.filter(agent=agent).exists():
        raise Conflict(f"{agent.name} takes part twice.", field="participants")
    last = group.participants.aggregate(last=Max("place"))["last"]
    joined = GroupParticipant.objects.create(
        group=group,
        agent=agent,
        place=0 if last is None else last + 1,
        role=given.role,
        expertise=list(given.expertise),
        priority=given.priority,
        excluded=given.excluded,
        joined_seq=conversation.last_seq,
    )
    payload = {"agent": agent.name, "participant": str(joined.id), "late": joined.joined_seq > 0}
    events.publish(name="group.joined", team=group.team, subject_id=group.id, payload=payload)
    return joined


@atomic
def leave(*, team: Team, group_id: UUID, agent: str, now: datetime) -> None:
    """The agent takes part no more; its turn is over. What it said stays. Raises NotFound."""
    group = lock(team=team, group_id=group_id)
    found = existing(GroupParticipant.objects.filter(group=group, agent__name=agent).first(), "participant")
    open_turn = GroupSelection.objects.filter(group=group, agent_id=found.agent_id, status=TurnStatus.OPEN)
    if open_turn.update(status=TurnStatus.TAKEN_BACK, over_at=now):
        Group.objects.filter(id=group.id).update(due_at=now)
    found.delete()
    events.publish(name="group.left", team=team, subject_id=group.id, payload={"agent": agent}, about=agent)


@atomic
def change(*, team: Team, group_id: UUID, given: Mapping[str, Any], now: datetime) -> Group:
    """Changes `strategy`, `limits`, `rules`. Raises NotFound, GroupOver and Invalid."""
    group = lock_open(team=team, group_id=group_id)
    values = {"strategy": group.strategy, "limits": group.limits, "rules": group.rules, **given}
    settings = _checked(values["strategy"], values["limits"], group.workflow, values["rules"])
    for name in ("strategy", "limits", "rules"):
        setattr(group, name, settings[name])
    group.save(update_fields=["strategy", "limits", "rules"])
    events.publish(name="group.changed", team=team, subject_id=group.id)
    return group


@atomic
def close(*, team: Team, group_id: UUID, now: datetime) -> Group:
    """Nobody speaks in it any more. Twice is once. Raises NotFound."""
    group = lock(team=team, group_id=group_id)
    if group.status != GroupStatus.CLOSED:
        GroupSelection.objects.filter(group=group, status=TurnStatus.OPEN).update(status=TurnStatus.TAKEN_BACK, over_at=now)
        set_status(group, GroupStatus.CLOSED, now=now, due_at=None)
        events.publish(name="group.closed", team=team, subject_id=group.id)
    return group


def set_status(group: Group, after: GroupStatus, *, now: datetime, reason: str = "", **also: Any) -> None:
    """Stores what the group has become, and `also` other columns. The caller holds its lock."""
    update(group, status=after, status_at=now, reason=reason[:200], **also)
