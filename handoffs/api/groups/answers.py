"""Groups as callers get them."""

from typing import Any
from uuid import UUID

from ninja import Field, Schema
from pydantic import AwareDatetime

from continuity.api.masks import MaskedJson, MaskedText
from continuity.groups.limits import BOUNDS
from continuity.groups.model import GroupStatus, SelectionOutcome
from continuity.models import Group, GroupParticipant, GroupSelection
from continuity.services.groups import group_sql
from continuity.services.groups.turns import NextSpeaker


class ParticipantOut(Schema):
    """`agent_status` is why it may or may not speak now. A late joiner's `handoff_id` is its briefing, once that is made:
    GET /handoffs/{handoff_id}/directive."""

    agent: str
    agent_status: str
    role: MaskedText
    expertise: list[str]
    priority: int
    excluded: bool
    joined_seq: int
    handoff_id: UUID | None
    turns: int

    @staticmethod
    def resolve_agent(row: GroupParticipant) -> str:
        return row.agent.name

    @staticmethod
    def resolve_agent_status(row: GroupParticipant) -> str:
        return row.agent.status

    @staticmethod
    def resolve_role(row: GroupParticipant) -> str:
        return row.role or row.agent.role

    @staticmethod
    def resolve_expertise(row: GroupParticipant) -> list[str]:
        return list(row.expertise or row.agent.expertise)

    @staticmethod
    def resolve_priority(row: GroupParticipant) -> int:
        return row.agent.priority if row.priority is None else row.priority


class GroupOut(Schema):
    """`reason` says why it waits for a person, or is suspended. `turns` and `tokens` count since a person spoke."""

    id: UUID
    title: MaskedText
    conversation_id: UUID
    strategy: str
    status: GroupStatus
    status_at: AwareDatetime
    reason: str
    limits: dict[str, int]
    step: str
    workflow_version: int
    turns: int
    tokens: int
    created_at: AwareDatetime

    @staticmethod
    def resolve_title(row: Group) -> str:
        return row.conversation.title

    @staticmethod
    def resolve_limits(row: Group) -> dict[str, int]:
        bounds = row.bounds
        return {name: getattr(bounds, name) for name in BOUNDS}


class WholeGroupOut(GroupOut):
    participants: list[ParticipantOut]
    workflow: list[MaskedJson]
    rules: list[dict[str, Any]]

    @staticmethod
    def resolve_participants(row: Group) -> list[GroupParticipant]:
        return group_sql.participants(row.id)


class SelectionOut(Schema):
    """Why this agent was chosen: `scores` of those who could be, `refused` why the others could not. `status` is that of its turn."""

    id: UUID
    number: int
    outcome: SelectionOutcome
    agent: str = Field(alias="name")
    strategy: str
    step: str
    scores: dict[str, float]
    refused: dict[str, str]
    reason: str
    fallback: bool
    events: list[str]
    took_ms: float
    status: str
    lease_until: AwareDatetime | None
    first_seq: int | None
    last_seq: int | None
    news: bool
    thumb: int
    created_at: AwareDatetime


class NextOut(Schema):
    """`turn` is open, and the agent's that it names; null where a person is to speak, nobody is there, or nothing was asked yet."""

    group_id: UUID
    status: GroupStatus
    reason: str
    turn: SelectionOut | None
    lease_seconds: int
    selection: SelectionOut | None = Field(description="The choice that was made just now, also where nobody was chosen.")


def next_fields(found: NextSpeaker) -> dict[str, Any]:
    """The fields of a NextOut."""
    group = found.group
    return {
        "group_id": group.id,
        "status": group.status,
        "reason": group.reason,
        "turn": found.turn,
        "selection": found.selection,
        "lease_seconds": group.bounds.lease_seconds,
    }


class SaidOut(Schema):
    """The numbers of the messages, and until when the turn is held; null where it is over."""

    seqs: list[int]
    turn: UUID
    lease_until: AwareDatetime | None
    step: str
    workflow_version: int


class HeardOut(Schema):
    seqs: list[int]
    status: GroupStatus


class GroupHandoffOut(Schema):
    """The group continues in `conversation_id`, from the briefing `handoff_id`; participants, workflow and rules are as they were."""

    handoff_id: UUID
    conversation_id: UUID


def turn_of(row: GroupSelection) -> str | None:
    return None if row.lease_until is None or row.status != "open" else row.lease_until.isoformat()
