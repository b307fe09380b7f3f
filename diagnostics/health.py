"""Health of the stores and the broker, checked in bounded time and without the application's own connections."""

import time
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.conf import settings
from django.utils import timezone

from continuity.core import shutdown
from continuity.services.model import model_endpoint
from diagnostics.health_probe import Check, Seen, look

BUSY = 0.8
# More failed agents than this are unhealthy, fewer degraded (FR-052).
FEW_FAILED = 3

_STARTED = time.monotonic()


class HealthStatus(StrEnum):
    HEALTHY = "healthy"
    DEGRADED = "degraded"
    UNHEALTHY = "unhealthy"


@dataclass(frozen=True, slots=True)
class Readiness:
    """FR-053. The store decides, which has to keep what is written: without the event bus existing sessions are still served, and
    events wait in the store.

    `model` is among the checks where one is configured; without it the rules do the work. `server` is among them while the process
    stops: it still answers, and takes nothing new.
    """

    ready: bool
    checks: dict[str, Check]


@dataclass(frozen=True, slots=True)
class Health:
    """FR-052. `active_sessions` counts what `services.agents.capacity` calls live; the team that has most of them decides whether the
    installation is busy, since the limit is each team's. `failed_cleanups` counts invalidated conversations that ten attempts could not
    clean up.

    `failed_agents` counts agents that failed and wait for a person. While a team is in degradation it is unhealthy, and ready (FR-010a).
    """

    status: HealthStatus
    uptime_seconds: float
    active_sessions: int | None
    version: str
    timestamp: datetime
    failed_cleanups: int | None
    failed_agents: int | None


def readiness() -> Readiness:
    if shutdown.begun():
        return Readiness(ready=False, checks={"server": Check.DRAINING})
    seen = look()
    checks = {"storage": seen.storage, "event_bus": seen.event_bus}
    if model_endpoint.configured() is not None:
        checks["model"] = Check.OK if model_endpoint.is_answering() else Check.FAILED
    return Readiness(ready=seen.storage is Check.OK, checks=checks)


def health() -> Health:
    seen = look()
    return Health(
        status=_status(seen),
        uptime_seconds=round(time.monotonic() - _STARTED, 1),
        active_sessions=seen.active_sessions,
        version=settings.CONTINUITY_VERSION,
        timestamp=timezone.now(),
        failed_cleanups=seen.failed_cleanups,
        failed_agents=seen.failed_agents,
    )


def _status(seen: Seen) -> HealthStatus:
    failed = seen.failed_agents or 0
    if seen.storage is not Check.OK or seen.incidents or failed > FEW_FAILED:
        return HealthStatus.UNHEALTHY
    busy = seen.most_of_a_team > BUSY * settings.MAX_CONCURRENT_SESSIONS
    return HealthStatus.DEGRADED if busy or failed or seen.failed_cleanups or seen.event_bus is not Check.OK else HealthStatus.HEALTHY
