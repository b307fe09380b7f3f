"""What the bus counts, over all processes: kept in Valkey, and lost with it, as counters may be."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from continuity.events import latency
from continuity.services.jobs import broker

logger = logging.getLogger("continuity.events")

KEY = "continuity:meters"
PROPAGATION, HANDOUT = "event_propagation_latency_ms", "event_handout_latency_ms"
VIOLATIONS = "latency_violation"
COUNTERS = (VIOLATIONS, "event_replay_gap_detected", "event_replay_failure_total", "event_deliveries", "event_acknowledgements")


class MeasuredEvent(Protocol):
    @property
    def id(self) -> UUID: ...
    @property
    def position(self) -> int | None: ...
    @property
    def subject(self) -> str: ...


def count(name: str, number: int = 1) -> None:
    if number:
        _write({name: number})


def handed_out(latencies: Sequence[float], number: int) -> None:
    """Counts events that were handed over, and what those took that were not missed before, until the answer began."""
    _write({"event_deliveries": number, **_histogram(HANDOUT, latencies)})


def reached_handlers(measured: Sequence[tuple[MeasuredEvent, float]], *, now: datetime) -> None:
    """Counts what events took from `publish()` to their handlers, and tells of each that took too long (FR-013)."""
    slow = [(event, milliseconds) for event, milliseconds in measured if milliseconds > latency.LIMIT_MS]
    for event, milliseconds in slow:
        told = {"event_id": str(event.id), "topic": event.subject, "position": event.position, "latency_ms": round(milliseconds, 1)}
        logger.warning("An event took longer than %g ms to its handler", latency.LIMIT_MS, extra={"metadata": told})
    took = [milliseconds for _, milliseconds in measured]
    minute = Counter(latency.bucket_of(milliseconds) for milliseconds in took)
    _write({VIOLATIONS: len(slow), **_histogram(PROPAGATION, took)}, minute=(_minute(now), minute))


def of_the_last_minutes(*, now: datetime) -> Sequence[int] | None:
    """What events took to their handlers in the last five minutes, over all processes, counted by bucket. None where Valkey is away."""
    buckets = [0] * latency.BUCKETS

    def work(client: broker.Client) -> None:
        pipe = client.pipeline(transaction=False)
        for ago in range(latency.WINDOW_MINUTES):
            pipe.hgetall(_minute(now, ago))
        told: Any = pipe.execute()
        for counted in told:
            for number, count in counted.items():
                buckets[int(number)] += int(count)

    return buckets if broker.try_call(work) else None


def read() -> Mapping[str, float]:
    """All that was counted, by name; histograms as `name|bucket`, `name|sum` and `name|count`. Empty where Valkey is away."""
    found: dict[str, float] = {}

    def work(client: broker.Client) -> None:
        told: Any = client.hgetall(KEY)
        found.update({name.decode(): float(value) for name, value in told.items()})

    broker.try_call(work)
    return found


def since(event_created: datetime, now: datetime) -> float:
    """Milliseconds; never negative, whatever the clocks say."""
    return max(0.0, (now - event_created).total_seconds() * 1000)


def _minute(now: datetime, ago: int = 0) -> str:
    return f"{KEY}:minute:{int(now.timestamp()) // 60 - ago}"


def _histogram(name: str, values: Sequence[float]) -> dict[str, float]:
    counted = Counter(f"{name}|{latency.bucket_of(value)}" for value in values)
    return {**counted, f"{name}|sum": sum(values), f"{name}|count": len(values)} if values else {}


def _write(counted: Mapping[str, float], *, minute: tuple[str, Mapping[int, int]] | None = None) -> None:
    def work(client: broker.Client) -> None:
        pipe = client.pipeline(transaction=False)
        for name, number in counted.items():
            if number:
                pipe.hincrbyfloat(KEY, name, number)
        if minute is not None:
            for bucket, number in minute[1].items():
                pipe.hincrby(minute[0], str(bucket), number)
            pipe.expire(minute[0], 60 * (latency.WINDOW_MINUTES + 1))
        pipe.execute()

    broker.try_call(work)
