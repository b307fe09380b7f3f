"""The statuses of an agent, and the steps between them (specification 004, FR-009, FR-009a, FR-010). Pure."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum


class AgentStatus(StrEnum):
    """`ready` waits for work, `active` works, `degraded` works without knowing all that it missed; `disconnected` is not heard of,
    `recovering` is started anew or replaced, `failed` waits for a person, `stopped` ended by itself or was told to."""

    REGISTERED = "registered"
    READY = "ready"
    ACTIVE = "active"
    DISCONNECTED = "disconnected"
    RECOVERING = "recovering"
    DEGRADED = "degraded"
    FAILED = "failed"
    STOPPED = "stopped"


class OverallHealth(StrEnum):
    """The health of all agents together (FR-043)."""

    HEALTHY = "healthy"
    WARNING = "warning"
    CRITICAL = "critical"


# May be given work; whoever stops beating while it is one of these is lost.
LIVE = frozenset({AgentStatus.READY, AgentStatus.ACTIVE, AgentStatus.DEGRADED})
# An instance runs, or begins to.
RUNS = LIVE | {AgentStatus.REGISTERED}
_ENDS = frozenset({AgentStatus.DISCONNECTED, AgentStatus.RECOVERING, AgentStatus.FAILED, AgentStatus.STOPPED, AgentStatus.REGISTERED})
# An instance may register from any status: it begins anew, and the one before is over.
TRANSITIONS: dict[AgentStatus, frozenset[AgentStatus]] = {
    AgentStatus.REGISTERED: _ENDS | {AgentStatus.READY, AgentStatus.DEGRADED},
    AgentStatus.READY: _ENDS | {AgentStatus.ACTIVE, AgentStatus.DEGRADED},
    AgentStatus.ACTIVE: _ENDS | {AgentStatus.READY, AgentStatus.DEGRADED},
    AgentStatus.DEGRADED: _ENDS | {AgentStatus.READY},
    AgentStatus.DISCONNECTED: _ENDS | LIVE,
    AgentStatus.RECOVERING: _ENDS | {AgentStatus.READY, AgentStatus.DEGRADED},
    AgentStatus.FAILED: frozenset({AgentStatus.REGISTERED, AgentStatus.RECOVERING, AgentStatus.STOPPED}),
    AgentStatus.STOPPED: frozenset({AgentStatus.REGISTERED}),
}


def overall(present: Collection[str]) -> OverallHealth:
    """Critical where one failed and waits for a person; a warning where one is away, on its way back, or does not know all."""
    if AgentStatus.FAILED in present:
        return OverallHealth.CRITICAL
    worried = {AgentStatus.DISCONNECTED, AgentStatus.RECOVERING, AgentStatus.DEGRADED} & set(present)
    return OverallHealth.WARNING if worried else OverallHealth.HEALTHY


def may_become(before: str, after: str) -> bool:
    """Whether the step is one of the table; to stay as it is is none."""
    return before != after and AgentStatus(after) in TRANSITIONS[AgentStatus(before)]


def sources(after: AgentStatus) -> frozenset[AgentStatus]:
    """The statuses from which an agent may get this one."""
    return frozenset(before for before in AgentStatus if may_become(before, after))


def status_when_back(before: str, *, working: bool | None) -> AgentStatus:
    """The status of an agent that is heard of again, as the same instance; `before` is its status until it fell silent."""
    if before in (AgentStatus.DEGRADED, AgentStatus.REGISTERED):
        return AgentStatus(before)
    return with_work(before if before in LIVE else AgentStatus.READY, working=working)


def with_work(status: str, *, working: bool | None) -> AgentStatus:
    """The status of a live agent after a beat: `working` says whether it has work, None leaves it."""
    known = AgentStatus(status)
    if working is None or known not in (AgentStatus.READY, AgentStatus.ACTIVE):
        return known
    return AgentStatus.ACTIVE if working else AgentStatus.READY
