"""What the bus counts, over all processes: kept in Valkey, and lost with it, as counters may be."""

import logging
import time
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from django.db import transaction

from continuity.events.latency import LIMIT_MS, LatencyWindow, Turned
from continuity.services.events import events
from continuity.services.jobs import broker

logger = logging.getLogger("continuity.events")

KEY = "continuity:meters"
BOUNDS = (1.0, 2.0, 3.0, 5.0, 7.5, 10.0, 25.0, 50.0, 100.0, 250.0, 1000.0, 5000.0)
PROPAGATION, HANDOUT = "event_propagation_latency_ms", "event_handout_latency_ms"
VIOLATIONS = "latency_violation"
COUNTERS = (VIOLATIONS, "event_replay_gap_detected", "event_replay_failure_total", "event_deliveries", "event_acknowledgements")
# Within one process; each alarms for itself.
_window = LatencyWindow()


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


def reached_handlers(measured: Sequence[tuple[MeasuredEvent, float]]) -> None:
    """Counts what events took from `publish()` to their handlers; tells of each that took too long, and once where many do (FR-013)."""
    slow = [(event, milliseconds) for event, milliseconds in measured if _window.add(milliseconds, time.monotonic())]
    for event, milliseconds in slow:
        told = {"event_id": str(event.id), "topic": event.subject, "position": event.position, "latency_ms": round(milliseconds, 1)}
        logger.warning("An event took longer than %g ms to its handler", LIMIT_MS, extra={"metadata": told})
    _write({VIOLATIONS: len(slow), **_histogram(PROPAGATION, [milliseconds for _, milliseconds in measured])})
    turned = _window.turned(time.monotonic())
    if turned is not None:
        _tell(turned)


@transaction.atomic
def _tell(turned: Turned) -> None:
    told = {"p95_ms": round(turned.p95_ms, 1)}
    if turned.late:
        logger.critical("p95 latency of events >%g ms over 5 min window", LIMIT_MS, extra={"metadata": told})
    events.publish(name="latency.exceeded" if turned.late else "latency.recovered", team=None, payload=told, critical=turned.late)


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


def _histogram(name: str, values: Sequence[float]) -> dict[str, float]:
    counted: dict[str, float] = {}
    for value in values:
        bucket = f"{name}|{bisect_left(BOUNDS, value)}"
        counted[bucket] = counted.get(bucket, 0) + 1
    return {**counted, f"{name}|sum": sum(values), f"{name}|count": len(values)} if values else {}


def _write(counted: Mapping[str, float]) -> None:
    def work(client: broker.Client) -> None:
        pipe = client.pipeline(transaction=False)
        for name, number in counted.items():
            if number:
                pipe.hincrbyfloat(KEY, name, number)
        pipe.execute()

    broker.try_call(work)
