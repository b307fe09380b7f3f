"""The statements that every turn of a group runs, written out: composing them anew cost twice what running them does."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection

from continuity.models import Agent, Group, GroupParticipant, GroupSelection
from continuity.services.recording.row_sql import columns, read

_ABOUT_AGENT = ("id", "name", "epoch", "instance_id", "status")
_ABOUT_SPEAKER = ("id", "name", "status", "role", "expertise", "priority", "failures")
_PLACE = """
SELECT own.conversation_id, own.strategy, talk.model, agent.epoch, agent.instance_id
FROM continuity_group own JOIN continuity_conversation talk ON talk.id = own.conversation_id
LEFT JOIN continuity_agent agent ON agent.team_id = own.team_id AND agent.name = %s WHERE own.team_id = %s AND own.id = %s
"""
_LOCK = f"SELECT {columns(Group, of='own')} FROM continuity_group own WHERE team_id = %s AND id = %s FOR NO KEY UPDATE"  # noqa: S608
_TURN = f"""
SELECT {columns(Agent, *_ABOUT_AGENT, of="agent")}, {columns(GroupSelection, of="turn")}
FROM continuity_groupselection turn LEFT JOIN continuity_agent agent ON agent.id = turn.agent_id
WHERE turn.group_id = %s AND turn.status = 'open'
"""  # noqa: S608  our own names
_SPEAKERS = f"""
SELECT {columns(Agent, *_ABOUT_SPEAKER, of="agent")}, {columns(GroupParticipant, of="part")}
FROM continuity_groupparticipant part JOIN continuity_agent agent ON agent.id = part.agent_id
WHERE part.group_id = %s ORDER BY part.place, part.id
"""  # noqa: S608  our own names
_PAST = """
SELECT name, news, status FROM continuity_groupselection
WHERE group_id = %s AND outcome = 'chosen' AND status <> 'open' AND created_at >= %s ORDER BY number DESC LIMIT %s
"""
_MESSAGES = """
SELECT seq, role, device, tokens, parts, secrets FROM continuity_message
WHERE conversation_id = %s AND seq > %s AND NOT abandoned AND NOT placeholder ORDER BY seq DESC LIMIT %s
"""
_SPOKE = "UPDATE continuity_groupparticipant SET last_turn = %s, turns = turns + 1 WHERE group_id = %s AND agent_id = %s"

WithAgent = TypeVar("WithAgent", GroupSelection, GroupParticipant)


@dataclass(frozen=True, slots=True)
class TalkPlace:
    """Where a group talks; `epoch` and `instance` are those of the agent that was asked for, None where the team has no such agent."""

    conversation_id: UUID
    strategy: str
    model: str
    epoch: int | None
    instance: UUID | None


def place_of(*, team_id: UUID, group_id: UUID, agent: str) -> TalkPlace | None:
    found = _rows(_PLACE, agent, team_id, group_id)
    return TalkPlace(*found[0]) if found else None


def lock(*, team_id: UUID, group_id: UUID) -> Group | None:
    found = _rows(_LOCK, team_id, group_id)
    return read(Group, found[0]) if found else None


def open_turn(group: Group) -> GroupSelection | None:
    """The turn that is open, with what counts of its agent."""
    found = _rows(_TURN, group.id)
    if not found:
        return None
    turn = _with_agent(GroupSelection, found[0], _ABOUT_AGENT)
    turn.group = group
    return turn


def participants(group_id: UUID) -> list[GroupParticipant]:
    """The participants in their order, each with what counts of its agent."""
    return [_with_agent(GroupParticipant, row, _ABOUT_SPEAKER) for row in _rows(_SPEAKERS, group_id)]


def past(group_id: UUID, *, since: datetime, limit: int) -> list[tuple[str, bool, str]]:
    """The turns that are over: whose, whether something new was said, and how it ended; the latest first."""
    return _rows(_PAST, group_id, since, limit)


def messages(conversation_id: UUID, *, after: int, limit: int) -> list[tuple[int, str, str, int, str, str]]:
    """Number, role, device, tokens, and as JSON parts and secrets; the latest first."""
    return _rows(_MESSAGES, conversation_id, after, limit)


def note_turn(group: Group, agent_id: UUID, *, number: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_SPOKE, [number, group.id, agent_id])


def _rows(statement: str, *values: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def _with_agent(model: type[WithAgent], row: Sequence[Any], about: tuple[str, ...]) -> WithAgent:
    found = read(model, row[len(about) :])
    if row[0] is not None:
        found.agent = read(Agent, row[: len(about)], *about)
    return found
