"""A group as the rules that choose a speaker see it: a fixed number of short queries, however long the conversation is."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from continuity.events.topics import subject_of
from continuity.groups.model import GroupSituation, GroupSpeaker, PastTurn, TurnStatus
from continuity.groups.routing import Routed, SeenEvent, read, route
from continuity.models import Event, Group, GroupParticipant
from continuity.secrets import message_masking
from continuity.services.groups import group_sql
from continuity.transcripts.base.model import PartKind, Role, Voice

# Latest messages that are read, and latest turns.
MESSAGES, PAST = 40, 40
# Characters of one message, and of all that one agent said here.
LONGEST, DONE = 4000, 8000
EVENTS = 1000
# What groups tell of themselves moves no group: two would otherwise move each other for ever.
OURS = "group."


@dataclass(frozen=True, slots=True)
class SituationRead:
    """`position` is up to which event the rules have now seen; `agents` are ids by the speakers' names."""

    situation: GroupSituation
    routed: Routed
    position: int
    last_seq: int
    agents: Mapping[str, UUID]


def read_situation(group: Group) -> SituationRead:
    """At most four queries; the caller holds the group's lock."""
    rows = group_sql.participants(group.id)
    latest = latest_messages(group.conversation_id, MESSAGES)
    past = _past(group)
    events, position = events_after(group, group.routed_position)
    flow = group.steps
    step = flow.step(group.step)
    asked, about = _asked(latest)
    done = _done(latest)
    speakers = tuple(_speaker(row, done.get(row.agent.name, "")) for row in rows)
    routed = route(read(group.rules, flow), events)
    last_seq = latest[-1].seq if latest else 0
    advice = group.advice.get("agent") if group.advice.get("seq") == last_seq else None
    return SituationRead(
        GroupSituation(
            strategy=group.strategy,
            speakers=speakers,
            past=past,
            asked=asked,
            about=about,
            step=step.wanted if step else None,
            effects=routed.effects,
            advice=advice,
        ),
        routed,
        position,
        last_seq,
        {row.agent.name: row.agent_id for row in rows},
    )


@dataclass(frozen=True, slots=True)
class GroupMessage:
    """The words of a message, its secrets masked; `speaker` is empty for a person's."""

    seq: int
    speaker: str
    text: str
    tokens: int


def latest_messages(conversation_id: UUID, limit: int, *, after: int = 0) -> Sequence[GroupMessage]:
    """The latest messages that were said, the oldest first. One query."""
    return [_said(*row) for row in reversed(group_sql.messages(conversation_id, after=after, limit=limit))]


def _said(seq: int, role: str, device: str, tokens: int, stored: str, secrets: str) -> GroupMessage:
    parts: list[Mapping[str, Any]] = message_masking.masked(json.loads(stored), json.loads(secrets))
    said = [str(part.get("text", "")) for part in parts if part.get("kind") == PartKind.TEXT and part.get("voice") != Voice.HARNESS]
    speaker = (device or "agent") if role in (Role.ASSISTANT, Role.TOOL) else ""
    return GroupMessage(seq, speaker, "\n".join(said), tokens)


def _asked(latest: Sequence[GroupMessage]) -> tuple[str, str]:
    """The latest message, and a person's latest where that is another one."""
    if not latest:
        return "", ""
    person = next((each for each in reversed(latest) if not each.speaker), None)
    last = latest[-1]
    return last.text[-LONGEST:], person.text[-LONGEST:] if person is not None and person.seq != last.seq else ""


def _done(latest: Sequence[GroupMessage]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in reversed(latest):
        if each.speaker:
            found[each.speaker] = f"{found.get(each.speaker, '')} {each.text[:LONGEST]}"[:DONE]
    return found


def _speaker(row: GroupParticipant, done: str) -> GroupSpeaker:
    agent = row.agent
    return GroupSpeaker(
        name=agent.name,
        status=agent.status,
        role=row.role or agent.role,
        expertise=tuple(row.expertise or agent.expertise),
        priority=agent.priority if row.priority is None else row.priority,
        failures=agent.failures,
        excluded=row.excluded,
        done=done,
        last_turn=row.last_turn,
        place=row.place,
    )


def _past(group: Group) -> tuple[PastTurn, ...]:
    """Turns since a person spoke, the oldest first; one that ran out said nothing new."""
    told = group_sql.past(group.id, since=group.asked_at, limit=PAST)
    return tuple(PastTurn(name, news and status == TurnStatus.DONE) for name, news, status in reversed(told))


def events_after(group: Group, position: int) -> tuple[list[SeenEvent], int]:
    """The team's events since then, without those of groups, and the position up to which they go; at most 1,000. None without rules."""
    if not group.rules:
        return [], position
    rows = Event.objects.filter(team=group.team_id, position__gt=position).order_by("position")
    found = list(rows.values_list("id", "name", "topic", "position")[:EVENTS])
    seen = [SeenEvent(str(id), subject_of(topic, name)) for id, name, topic, _ in found if not name.startswith(OURS)]
    return seen, (found[-1][3] or position) if found else position
