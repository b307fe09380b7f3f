"""Agents as callers get them."""

from typing import Any
from uuid import UUID

from django.conf import settings
from ninja import Field, Schema
from pydantic import AwareDatetime

from continuity.agents.names import OrderKind, OrderStatus
from continuity.agents.statuses import AgentStatus
from continuity.agents.strategies import FailureCause, RecoveryAction, Strategy
from continuity.events.policies import ReplayPolicy
from continuity.models import AttemptStatus, RecoveryAttempt
from continuity.services.agents.registry import RegisteredAgent


class OpenedOut(Schema):
    conversation_id: UUID


class AgentOut(Schema):
    id: UUID
    name: str
    status: AgentStatus
    status_at: AwareDatetime
    reason: str
    epoch: int
    runner: str
    role: str
    expertise: list[str]
    priority: int
    config: dict[str, Any]
    topics: list[str]
    replay: ReplayPolicy
    strategy: Strategy
    backup: str
    threshold: int
    timeout: int = Field(alias="timeout_seconds")
    window: int = Field(alias="window_seconds")
    probe: bool = Field(alias="probes")
    failures: int
    ready_at: AwareDatetime | None
    recovered_at: AwareDatetime | None
    conversation_id: UUID | None = Field(alias="working_on_id")
    created_at: AwareDatetime


class RegisteredOut(AgentOut):
    """The identity of an instance: it sends `epoch` and `instance` with each later call. `probe_command` is its file's, for a runner."""

    instance: UUID | None = Field(alias="instance_id")
    subscription_id: UUID | None = None
    probe_command: str = ""
    heartbeat_interval_ms: int = Field(default_factory=lambda: settings.HEARTBEAT_INTERVAL_MS)
    lost_after_ms: int = Field(default_factory=lambda: settings.AGENT_LOST_AFTER_MS)
    probe_timeout_ms: int = Field(default_factory=lambda: settings.LIVENESS_PROBE_TIMEOUT_MS)

    @classmethod
    def of(cls, registered: RegisteredAgent) -> "RegisteredOut":
        return cls.from_orm(registered.agent).model_copy(
            update={"subscription_id": registered.subscription_id, "probe_command": registered.probe_command}
        )


class BeatOut(Schema):
    """`result`: `ok`; `over`: no instance runs, wait for orders; `fenced`: another one runs; `unknown`: nobody of this name."""

    agent: str
    result: str
    status: AgentStatus | None
    epoch: int | None
    orders: list[dict[str, Any]]


class BeatsOut(Schema):
    interval_ms: int
    lost_after_ms: int
    agents: list[BeatOut]


class EndedOut(Schema):
    """`action`: `restart` (claim `attempt` after `after_ms`), `wait` (another one takes over) or `none`."""

    status: AgentStatus
    epoch: int
    action: str
    attempt: UUID | None
    after_ms: int
    failures: int


class OrderOut(Schema):
    id: UUID
    kind: OrderKind
    status: OrderStatus
    details: dict[str, Any]
    asked_by: str
    attempt_id: UUID | None
    error: str
    created_at: AwareDatetime
    over_at: AwareDatetime | None


class AttemptOut(Schema):
    id: UUID
    cause: FailureCause
    action: RecoveryAction
    status: AttemptStatus
    failures: int
    ended_epoch: int
    due_at: AwareDatetime
    claimed_at: AwareDatetime | None
    over_at: AwareDatetime | None
    detection_ms: float | None
    exit_code: int | None
    signal: int | None
    error: str
    backup: str
    conversation_id: UUID | None
    handoff_id: UUID | None
    created_at: AwareDatetime

    @staticmethod
    def resolve_backup(row: RecoveryAttempt) -> str:
        return row.backup.name if row.backup else ""


class InstanceOut(Schema):
    id: UUID
    epoch: int
    runner: str
    created_at: AwareDatetime
    ready_at: AwareDatetime | None
    ended_at: AwareDatetime | None
    reason: str
    state_digest: str


class IncidentOut(Schema):
    """`limit` is how many conversations the team's agents may have meanwhile."""

    id: UUID
    correlation_id: str
    agents: list[str]
    limit: int
    calm_seconds: float
    created_at: AwareDatetime
    ended_at: AwareDatetime | None


class OrderedOut(Schema):
    """The instance that should beat now, to get the order."""

    agents: list[str]
