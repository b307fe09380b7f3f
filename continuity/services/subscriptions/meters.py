"""Counters of what happens, over all processes: kept in Valkey, and lost with it, as counters may be.

What is asked about the last minutes stands by minute beside what was counted in all. The last five minutes are the minute at hand and the
five whole ones before it: never less than five, so that nothing is forgotten too early.
"""

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
RESTORE = "session_restore_latency_ms"
REQUESTS, ERRORS, EVENTS = "requests", "errors", "events"


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
    _write({VIOLATIONS: len(slow), **_histogram(PROPAGATION, took)}, minute=(_minute(PROPAGATION, now), _by_bucket(took)))


def took(name: str, milliseconds: float, *, now: datetime) -> None:
    """Counts how long one of the operations took whose percentiles are shown."""
    _write(_histogram(name, [milliseconds]), minute=(_minute(name, now), _by_bucket([milliseconds])))


def answered(*, requests: int, errors: int, now: datetime) -> None:
    """Counts requests that were answered, and those of them that failed for a reason of ours."""
    _write({}, minute=(_minute(REQUESTS, now), {REQUESTS: requests, ERRORS: errors}))


def processed(*, events: int, now: datetime) -> None:
    """Counts events that were gone through, whoever listens to them."""
    _write({}, minute=(_minute(EVENTS, now), {EVENTS: events}))


def events_of_the_last_minutes(*, now: datetime) -> int | None:
    """Events of the last five minutes. None where Valkey is away."""
    found = _recent(EVENTS, now)
    return None if found is None else found[EVENTS]


def requests_of_the_last_minutes(*, now: datetime) -> tuple[int, int] | None:
    """Requests of the last five minutes over all web processes, and how many of them failed. None where Valkey is away."""
    found = _recent(REQUESTS, now)
    return None if found is None else (found[REQUESTS], found[ERRORS])


def of_the_last_minutes(name: str = PROPAGATION, *, now: datetime) -> Sequence[int] | None:
    """The operation's times in the last five minutes, over all processes, counted by bucket. None where Valkey is away."""
    found = _recent(name, now)
    return None if found is None else [found[str(number)] for number in range(latency.BUCKETS)]


def seconds_of_the_last_minutes(*, now: datetime) -> float:
    """How long what is called the last five minutes is: 300 to 360 seconds."""
    return 60.0 * latency.WINDOW_MINUTES + now.timestamp() % 60


def _recent(name: str, now: datetime) -> Counter[str] | None:
    found: Counter[str] = Counter()

    def work(client: broker.Client) -> None:
        pipe = client.pipeline(transaction=False)
        for ago in range(latency.WINDOW_MINUTES + 1):
            pipe.hgetall(_minute(name, now, ago))
        told: Any = pipe.execute()
        for counted in told:
            found.update({field.decode(): int(count) for field, count in counted.items()})

    return found if broker.try_call(work) else None


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


def _minute(name: str, now: datetime, ago: int = 0) -> str:
    of = "" if name == PROPAGATION else f":{name}"  # Its key is as older releases beside us write it.
    return f"{KEY}:minute{of}:{int(now.timestamp()) // 60 - ago}"


def _by_bucket(values: Sequence[float]) -> dict[str, int]:
    return Counter(str(latency.bucket_of(value)) for value in values)


def _histogram(name: str, values: Sequence[float]) -> dict[str, float]:
    counted = Counter(f"{name}|{latency.bucket_of(value)}" for value in values)
    return {**counted, f"{name}|sum": sum(values), f"{name}|count": len(values)} if values else {}


def _write(counted: Mapping[str, float], *, minute: tuple[str, Mapping[str, int]] | None = None) -> None:
    def work(client: broker.Client) -> None:
        pipe = client.pipeline(transaction=False)
        for name, number in counted.items():
            if number:
                pipe.hincrbyfloat(KEY, name, number)
        if minute is not None:
            for field, number in minute[1].items():
                pipe.hincrby(minute[0], field, number)
            pipe.expire(minute[0], 60 * (latency.WINDOW_MINUTES + 2))
        pipe.execute()

    broker.try_call(work)
