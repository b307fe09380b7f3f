"""Turns: who has it, for how long, and how it passes on (FR-018, FR-020).

One turn is open at a time, which the database itself sees to; what an agent does with it compares and swaps in one statement. The same
step, `go_on`, is made by whoever asks for the next speaker and by the monitor.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any
from uuid import UUID

from continuity.agents.statuses import AgentStatus
from continuity.core.errors import Fenced, Locked, NotFound, NotYourTurn, TurnTaken, existing
from continuity.core.tracing import span
from continuity.core.transactions import atomic
from continuity.groups import limits as bounds
from continuity.groups import selection
from continuity.groups.model import GroupStatus, SelectionOutcome, TurnStatus
from continuity.groups.words import has_news
from continuity.models import Agent, Group, GroupParticipant, GroupSelection, Team
from continuity.services.agents import epochs
from continuity.services.events import events
from continuity.services.groups import group_sql, groups, model_advice, situations, workflows
from continuity.services.recording import conversations
from continuity.services.recording.row_sql import insert, update
from continuity.transcripts.base import model as transcript

THERE = (AgentStatus.READY, AgentStatus.ACTIVE)
# Turns whose words are compared to find whether another one says something new.
COMPARED = 12
KEPT = 2000


@dataclass(frozen=True, slots=True)
class NextSpeaker:
    """Where a group stands: the selection that holds now. `turn` is open where an agent is to speak."""

    group: Group
    selection: GroupSelection | None

    @property
    def turn(self) -> GroupSelection | None:
        return self.selection if self.selection is not None and self.selection.status == TurnStatus.OPEN else None


@dataclass(frozen=True, slots=True)
class Acting:
    """An instance of an agent that asks for itself."""

    agent: str
    epoch: int
    instance: UUID


@span("continuity.group.next")
def next_speaker(*, team: Team, group_id: UUID, now: datetime, acting: Acting | None = None) -> NextSpeaker:
    """Choose the next speaker. Where a turn is open it is that one; else somebody is chosen.

    An agent that asks for itself gets the turn where it is its own. Raises NotFound, GroupOver, Fenced; TurnTaken (429) with the wait where
    another one has the turn, or the last selection was just made. What was chosen stays chosen also where it raises.
    """
    model_advice.wait_for(team=team, group_id=group_id)
    found, refusal = _next(team, group_id, now, acting)
    if refusal is not None:
        raise refusal
    return found


@atomic
def _next(team: Team, group_id: UUID, now: datetime, acting: Acting | None) -> tuple[NextSpeaker, TurnTaken | None]:
    agent = epochs.lock_present(team=team, name=acting.agent, epoch=acting.epoch, instance=acting.instance) if acting else None
    group = groups.lock_open(team=team, group_id=group_id)
    found = go_on(group, now=now)
    turn = found.turn
    if turn is None:
        wait = bounds.remaining_wait(group.bounds, selected_at=group.selected_at, now=now)
        is_early = group.status == GroupStatus.ACTIVE and group.asked_seq and wait
        return found, TurnTaken(who="Nobody", retry_after=max(1, ceil(wait.total_seconds()))) if is_early else None
    if agent is None:
        return found, None
    if turn.agent_id != agent.id:
        left = bounds.remaining_lease(group.bounds, until=turn.lease_until or now, now=now)
        return found, TurnTaken(who=turn.name, retry_after=max(1, ceil(left.total_seconds())))
    return NextSpeaker(group, _claim(group, turn, agent, now)), None


def _claim(group: Group, turn: GroupSelection, agent: Agent, now: datetime) -> GroupSelection:
    """The turn, held by this instance from now on for a whole lease. Asked for again it is the same."""
    if turn.epoch != agent.epoch:
        until = now + group.bounds.lease
        update(turn, only={"status": TurnStatus.OPEN}, epoch=agent.epoch, claimed_at=now, lease_until=until)
        update(group, due_at=until)
    return turn


def go_on(group: Group, *, now: datetime) -> NextSpeaker:
    """Does what is due: ends a turn whose lease is over or whose agent is gone, brings a group back, chooses who speaks.

    The caller holds the group's lock.
    """
    workflows.follow_events(group, now=now)
    turn = group_sql.open_turn(group)
    if turn is not None:
        lost = _lost(group, turn, now)
        if lost is None:
            return NextSpeaker(group, turn)
        _over(group, turn, lost, now)
    if group.status == GroupStatus.SUSPENDED and _somebody_is_there(group):
        groups.set_status(group, GroupStatus.ACTIVE, now=now, due_at=now)
        events.publish(name="group.resumed", team=group.team, subject_id=group.id)
    if group.status != GroupStatus.ACTIVE or not group.asked_seq:
        return NextSpeaker(group, None)
    wait = bounds.remaining_wait(group.bounds, selected_at=group.selected_at, now=now)
    if wait:
        update(group, due_at=now + wait)
        return NextSpeaker(group, None)
    return NextSpeaker(group, _select(group, now))


def _lost(group: Group, turn: GroupSelection, now: datetime) -> TurnStatus | None:
    """Why the turn is over: its agent is gone, or another instance of it began, or its lease ran out."""
    agent = turn.agent
    if agent is None or agent.status not in THERE or (turn.epoch is not None and turn.epoch != agent.epoch):
        return TurnStatus.TAKEN_BACK
    return None if bounds.remaining_lease(group.bounds, until=turn.lease_until or now, now=now) else TurnStatus.EXPIRED


def _somebody_is_there(group: Group) -> bool:
    return GroupParticipant.objects.filter(group=group, excluded=False, agent__status__in=THERE).exists()


def _over(group: Group, turn: GroupSelection, status: TurnStatus, now: datetime, **also: object) -> bool:
    """Whether the turn was open until now."""
    if not update(turn, only={"status": TurnStatus.OPEN}, status=status, over_at=now, **also):
        return False
    payload = {"agent": turn.name, "turn": str(turn.id), "number": turn.number, "result": status, "step": turn.step}
    events.publish(name="group.turn_ended", team=group.team, subject_id=group.id, payload=payload)
    return True


def _select(group: Group, now: datetime) -> GroupSelection:
    """Chooses, and keeps the choice with its reason. The caller holds the lock, and has seen that no turn is open."""
    begun = time.perf_counter()
    read = situations.read_situation(group)
    reached = bounds.reached(group.bounds, turns=group.turns, tokens=group.tokens, since=group.asked_at, now=now)
    chosen = selection.choose(read.situation, group.bounds, reached=reached)
    agent_id = read.agents.get(chosen.speaker)
    is_turn = chosen.outcome == SelectionOutcome.CHOSEN
    number = group.selections + 1
    row = GroupSelection(
        group=group,
        number=number,
        outcome=chosen.outcome,
        strategy=group.strategy,
        agent_id=agent_id,
        name=chosen.speaker,
        step=group.step,
        scores=dict(chosen.scores),
        refused=dict(chosen.refused),
        reason=chosen.reason[:400],
        fallback=chosen.fallback,
        events=list(chosen.events),
        created_at=now,
        read_seq=read.last_seq,
        status=TurnStatus.OPEN if is_turn else "",
        lease_until=now + group.bounds.lease if is_turn else None,
    )
    row.took_ms = round((time.perf_counter() - begun) * 1000, 2)
    insert(row)
    if number > KEPT:
        GroupSelection.objects.filter(group=group, number__lte=number - KEPT).delete()
    also: dict[str, Any] = {"selections": number, "selected_at": now, "answered_seq": read.last_seq, "routed_position": read.position}
    payload = {"turn": str(row.id), "number": number, "agent": chosen.speaker, "outcome": chosen.outcome, "took_ms": row.took_ms}
    payload |= {"fallback": chosen.fallback, "strategy": group.strategy}
    events.publish(name="group.speaker_selected", team=group.team, subject_id=group.id, payload=payload)
    if is_turn and agent_id is not None:
        group_sql.note_turn(group, agent_id, number=number)
        groups.set_status(group, GroupStatus.ACTIVE, now=now, due_at=row.lease_until, turns=group.turns + 1, **also)
        given = {"agent": chosen.speaker, "turn": str(row.id), "number": number, "step": group.step}
        # Critical, so that an agent which was away for a moment still hears of its turn.
        events.publish(name="group.turn_given", team=group.team, subject_id=group.id, payload=given, critical=True)
    elif chosen.outcome == SelectionOutcome.NOBODY:
        groups.set_status(group, GroupStatus.SUSPENDED, now=now, reason=chosen.reason, due_at=None, **also)
        events.publish(name="group.suspended", team=group.team, subject_id=group.id, payload={"refused": chosen.refused}, critical=True)
    else:
        wait_for_person(group, chosen.reason, now=now, **also)
    return row


def wait_for_person(group: Group, reason: str, *, now: datetime, **also: object) -> None:
    """Agents are silent until a person says how it goes on. The caller holds the lock."""
    groups.set_status(group, GroupStatus.WAITING, now=now, reason=reason, due_at=None, **also)
    events.publish(name="group.waiting", team=group.team, subject_id=group.id, payload={"step": group.step, "turns": group.turns})


@atomic
def say(
    *,
    team: Team,
    group_id: UUID,
    acting: Acting,
    turn_id: UUID,
    messages: Sequence[transcript.Message],
    now: datetime,
    over: bool = True,
    done: bool = False,
    to_step: str | None = None,
) -> tuple[conversations.Appended | None, GroupSelection]:
    """Appends what the holder of the turn says. Unless the turn is `over` with it, it has a whole lease again.

    `done`: what was asked is answered, and a person says how it goes on. `to_step` ends the step of the workflow ("": its usual next one).
    Raises NotFound, Fenced, GroupOver, NotYourTurn, and what appending raises; nothing is stored then.
    """
    place = _place(team, group_id, acting)
    # The conversation before the agent and the group, as others lock them.
    appended = _append(team, group_id, place, messages, acting.agent) if messages else None
    agent = epochs.lock_present(team=team, name=acting.agent, epoch=acting.epoch, instance=acting.instance)
    group = groups.lock_open(team=team, group_id=group_id)
    _check_place(group, appended)
    turn = _held(group, turn_id, agent)
    until = now + group.bounds.lease
    held: dict[str, Any] = {} if turn.epoch == agent.epoch else {"epoch": agent.epoch, "claimed_at": now, "lease_until": until}
    held |= _said(turn, appended)
    tokens = group.tokens + (sum(row.tokens for row in appended.fresh) if appended else 0)
    if to_step is not None:
        workflows.advance(group, to=to_step, by=agent.name, now=now)
    if not over:
        update(turn, **(held | {"lease_until": until}))
        update(group, tokens=tokens, due_at=until)
        return appended, turn
    news = to_step is not None or _has_news(group, held.get("first_seq", turn.first_seq))
    _over(group, turn, TurnStatus.DONE, now, **held, news=news)
    if done or (group.step == workflows.END and group.steps.steps):
        why = f"{agent.name} says that it is done" if done else "all steps are done"
        wait_for_person(group, why, now=now, tokens=tokens)
    else:
        update(group, tokens=tokens, due_at=_due(group, now, said=bool(messages)))
    return appended, turn


def _due(group: Group, now: datetime, *, said: bool) -> datetime:
    """When the monitor is to choose: the worker does it sooner once the model that was asked of what was `said` has answered."""
    wait = bounds.remaining_wait(group.bounds, selected_at=group.selected_at, now=now)
    return now + (max(wait, model_advice.wait_of(group)) if said else wait)


def _place(team: Team, group_id: UUID, acting: Acting | None = None) -> group_sql.TalkPlace:
    """Where the group talks. Raises NotFound, and Fenced."""
    found = existing(group_sql.place_of(team_id=team.id, group_id=group_id, agent=acting.agent if acting else ""), "group")
    if acting and found.epoch is None:
        raise NotFound(noun="agent")
    if acting and (acting.epoch, acting.instance) != (found.epoch, found.instance):
        raise Fenced(current=found.epoch, given=acting.epoch)
    return found


def _append(
    team: Team, group_id: UUID, place: group_sql.TalkPlace, messages: Sequence[transcript.Message], who: str
) -> conversations.Appended:
    model_advice.send(group_id=group_id, strategy=place.strategy)
    return conversations.append_in_group(team=team, conversation_id=place.conversation_id, messages=messages, device=who, model=place.model)


def _check_place(group: Group, appended: conversations.Appended | None) -> None:
    """Raises Locked where the group was handed over to another conversation meanwhile."""
    if appended is not None and appended.conversation.id != group.conversation_id:
        raise Locked(retry_after=1)


def _held(group: Group, turn_id: UUID, agent: Agent) -> GroupSelection:
    """The open turn, if it is this agent's. A lease that ran out while nobody else was chosen holds still.

    The caller holds the group's lock, without which nobody gives or ends a turn."""
    turn = group_sql.open_turn(group)
    if turn is None or turn.id != turn_id or turn.agent_id != agent.id:
        raise NotYourTurn(who=turn.name if turn else "nobody", agent=agent.name)
    return turn


def _said(turn: GroupSelection, appended: conversations.Appended | None) -> dict[str, int]:
    """The first and the last message of the turn, with what was added."""
    if appended is None or not appended.seqs:
        return {}
    seqs = appended.seqs
    return {"first_seq": min(turn.first_seq or seqs[0], *seqs), "last_seq": max(turn.last_seq or 0, *seqs)}


def _has_news(group: Group, first: int | None) -> bool:
    if first is None:
        return False
    latest = situations.latest_messages(group.conversation_id, COMPARED)
    own = " ".join(each.text for each in latest if each.seq >= first)
    return has_news(own, [each.text for each in latest if each.seq < first])


@atomic
def hear(*, team: Team, group_id: UUID, messages: Sequence[transcript.Message], now: datetime) -> conversations.Appended:
    """Record a person's message: taken at any time, also while the group is suspended; agents' limits count anew.

    Raises NotFound, GroupOver, and what appending raises.
    """
    appended = _append(team, group_id, _place(team, group_id), messages, "")
    group = groups.lock_open(team=team, group_id=group_id)
    _check_place(group, appended)
    last = max(appended.seqs, default=0)
    also: dict[str, Any] = {"turns": 0, "tokens": 0, "asked_at": now, "asked_seq": max(last, group.asked_seq)}
    if group.status == GroupStatus.SUSPENDED:
        update(group, **also)
        return appended
    due = group.due_at if group_sql.open_turn(group) else _due(group, now, said=True)
    groups.set_status(group, GroupStatus.ACTIVE, now=now, due_at=due, **also)
    return appended


@atomic
def extend(*, team: Team, group_id: UUID, acting: Acting, turn_id: UUID, now: datetime) -> GroupSelection:
    """Still working: the holder has a whole lease again. Raises NotFound, Fenced, GroupOver and NotYourTurn."""
    return say(team=team, group_id=group_id, acting=acting, turn_id=turn_id, messages=(), now=now, over=False)[1]


@atomic
def rate(*, team: Team, group_id: UUID, turn_id: UUID, thumb: int, by: str) -> GroupSelection:
    """Rate a choice: 1, -1, or 0 for nothing. Raises NotFound."""
    group = groups.get(team=team, group_id=group_id)
    if not GroupSelection.objects.filter(group=group, id=turn_id).update(thumb=thumb, thumb_by=by if thumb else ""):
        raise NotFound(noun="turn of this group")
    events.publish(name="group.selection_rated", team=team, subject_id=group.id, payload={"turn": str(turn_id), "thumb": thumb})
    return GroupSelection.objects.get(id=turn_id)


def attend(*, group_id: UUID, now: datetime) -> None:
    """The monitor's step for one group; one that is gone or closed is left alone."""
    _attend(group_id, now)


@atomic
def _attend(group_id: UUID, now: datetime) -> None:
    found = Group.objects.select_for_update(no_key=True, skip_locked=True).filter(id=group_id).exclude(status=GroupStatus.CLOSED).first()
    if found is None:
        return
    found.team = Team.objects.get(id=found.team_id)
    go_on(found, now=now)
