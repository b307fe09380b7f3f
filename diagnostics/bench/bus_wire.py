"""The bus as its users have it: a publisher and a subscriber with HTTP between them and the server."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from continuity.client.events import ReceivedEvent, Subscriber
from diagnostics.bench.rows import BenchRow, row

TOPIC = "bench:wire"
BATCH, PAUSE = 50, 0.05  # 1,000 events in a second
FIRST_OF_STREAM = 1_000_000  # an event of before that is handed out once more is none of the stream's
APART = 0.1  # seconds: by then the event before is acknowledged
PATIENCE = 30.0


class Arrivals:
    """When each event reached its handler, by the number in its payload."""

    def __init__(self) -> None:
        self._at: dict[int, float] = {}
        self._more = threading.Condition()

    def note(self, event: ReceivedEvent) -> None:
        with self._more:
            self._at[event.payload["n"]] = time.perf_counter()
            self._more.notify_all()

    def of(self, number: int) -> float:
        """Waits for it. Raises TimeoutError."""
        with self._more:
            if not self._more.wait_for(lambda: number in self._at, PATIENCE):
                raise TimeoutError(f"Event {number:,} did not arrive within {PATIENCE:g} seconds")
            return self._at[number]


def one_at_a_time(url: str, key: str, n: int) -> Iterator[BenchRow]:
    """Ten events a second, then each as soon as the one before was handled, whose acknowledgement is on its way then."""
    with _subscribed(url, key) as (subscriber, arrivals):
        _one(subscriber, arrivals, -1)  # Connections are open from here on.
        apart = [_one(subscriber, arrivals, number, after=APART) for number in range(n)]
        at_once = [_one(subscriber, arrivals, number) for number in range(n, 2 * n)]
    name = "publish() in the client to its handler, over HTTP"
    yield row(name, apart, specified_ms=10, target_ms=10)
    yield row(f"{name}, each at once after the last", at_once)


def stream(url: str, key: str, *, seconds: float) -> Iterator[BenchRow]:
    """1,000 events a second for so long."""
    with _subscribed(url, key) as (subscriber, arrivals):
        _one(subscriber, arrivals, -1)
        taken = _stream(subscriber, arrivals, seconds)
    tenth = max(1, len(taken) // 10)
    yield row(f"1,000 events/s for {seconds:g} s, to the handler, first tenth", taken[:tenth])
    # Lag that grew would be seconds by then.
    yield row(f"1,000 events/s for {seconds:g} s, to the handler, last tenth", taken[-tenth:], target_ms=250)


def _one(subscriber: Subscriber, arrivals: Arrivals, number: int, *, after: float = 0) -> float:
    time.sleep(after)
    begun = time.perf_counter()
    subscriber.publish(TOPIC, {"n": number})
    return (arrivals.of(number) - begun) * 1000


def _stream(subscriber: Subscriber, arrivals: Arrivals, seconds: float) -> Sequence[float]:
    """Milliseconds from when each event was due to be published: a publisher that falls behind is counted as lag."""
    due: dict[int, float] = {}
    begun = time.perf_counter()
    for batch in range(round(seconds / PAUSE)):
        at = begun + batch * PAUSE
        time.sleep(max(0.0, at - time.perf_counter()))
        first = FIRST_OF_STREAM + batch * BATCH
        numbers = range(first, first + BATCH)
        due.update(dict.fromkeys(numbers, at))
        subscriber.publish_all([{"topic": TOPIC, "payload": {"n": number}} for number in numbers])
    return [(arrivals.of(number) - at) * 1000 for number, at in due.items()]


@contextmanager
def _subscribed(url: str, key: str) -> Iterator[tuple[Subscriber, Arrivals]]:
    subscriber, arrivals = Subscriber("bench-wire", url=url, key=key, policy="full"), Arrivals()
    subscriber.on(TOPIC)(arrivals.note)
    running = threading.Thread(target=subscriber.run, daemon=True)
    running.start()
    try:
        if not subscriber.wait_until_begun(PATIENCE):
            raise TimeoutError("The server does not let the benchmark subscribe")
        yield subscriber, arrivals
    finally:
        subscriber.stop()
        running.join(10)
