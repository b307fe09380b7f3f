"""How it goes now: figures of the last five minutes and of this moment, for the page that renews itself, and for the metrics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count

from continuity.models import Agent, Team
from continuity.services.agents import capacity, usage
from continuity.services.agents.capacity import Capacity
from continuity.services.subscriptions import meters
from diagnostics.measuring.instruments import INSTRUMENTS, PERCENTILES, SHARES
from diagnostics.measuring.percentiles import percentile
from diagnostics.models import Alert
from diagnostics.services.figures import uptimes

# Of a team with more agents, those that changed last are added up.
AGENTS = 200
WORDS = {
    "session_restore_latency_ms": "Restoring a conversation",
    "event_propagation_latency_ms": "Events to their handlers",
    "speaker_selection_latency_ms": "Choosing who speaks",
}


@dataclass(frozen=True, slots=True)
class OperationLatency:
    """What an operation took; by `p50`, `p95`, `p99` in milliseconds, empty where nothing happened."""

    words: str
    shares: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Present:
    """Of the team: capacity, agents by status, what they use, open alerts. Of the installation: the rest. None where Valkey is away."""

    capacity: Capacity
    agents: Sequence[tuple[str, int]]
    cpu_cores: float
    memory_bytes: int
    disk_bytes_per_second: float
    told_of: int
    alerts: int
    events_a_second: float | None
    requests_a_second: float | None
    error_rate: float | None
    latencies: Sequence[OperationLatency]
    uptimes: Sequence[tuple[date, float]]


def percentiles(name: str, *, now: datetime) -> Mapping[str, float]:
    """`p50`, `p95` and `p99` of an operation in the last five minutes; empty where there was none."""
    buckets = meters.of_the_last_minutes(name, now=now) or ()
    found = {label: percentile(buckets, INSTRUMENTS[name].bounds, share) for label, share in SHARES.items()}
    return {label: value for label, value in found.items() if value is not None}


def error_rate(*, now: datetime) -> float | None:
    """The share of requests that failed for a reason of ours, in percent. None where there was none."""
    answered = meters.requests_of_the_last_minutes(now=now)
    return 100 * answered[1] / answered[0] if answered and answered[0] else None


def of_team(team: Team, *, now: datetime) -> Present:
    """A fixed number of queries and commands."""
    agents = Agent.objects.visible_to(team)
    by_status = agents.order_by("status").values_list("status").annotate(number=Count("id"))
    newest = list(agents.order_by("-status_at").values_list("id", flat=True)[:AGENTS])
    used = usage.of(newest, now_ms=int(now.timestamp() * 1000)).values()
    seconds = meters.seconds_of_the_last_minutes(now=now)
    events, requests = meters.events_of_the_last_minutes(now=now), meters.requests_of_the_last_minutes(now=now)
    return Present(
        capacity=capacity.of_team(team),
        agents=list(by_status),
        cpu_cores=sum(each.cpu_cores for each in used),
        memory_bytes=sum(each.memory_bytes for each in used),
        disk_bytes_per_second=sum(each.disk_bytes_per_second for each in used),
        told_of=len(used),
        alerts=Alert.objects.visible_to(team).open().count(),
        events_a_second=None if events is None else events / seconds,
        requests_a_second=None if requests is None else requests[0] / seconds,
        error_rate=error_rate(now=now),
        latencies=[OperationLatency(WORDS[name], percentiles(name, now=now)) for name in PERCENTILES],
        uptimes=list(uptimes.shares(now=now)),
    )
