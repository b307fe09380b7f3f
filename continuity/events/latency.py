"""How long events take from `publish()` to their handlers, and when that is too long (FR-013). Pure; `now` is seconds of one clock."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

LIMIT_MS = 10.0
WINDOW_SECONDS = 300.0
# Below so many, one slow event would be the 95th percentile.
LEAST = 20
KEPT = 60_000


def percentile_95(values: Sequence[float]) -> float:
    """The value at ⌊0.95·n⌋+1, so that of 1,000 the 951st counts: of which 50 are slow, those are. 0 where there is none."""
    if not values:
        return 0.0
    return sorted(values)[min(len(values) - 1, len(values) * 95 // 100)]


@dataclass(frozen=True, slots=True)
class Turned:
    """Whether it is late from now on, and the percentile."""

    late: bool
    p95_ms: float


@dataclass(slots=True)
class LatencyWindow:
    """What was measured in the last five minutes. It alarms once, and again only after the percentile was good in between."""

    limit_ms: float = LIMIT_MS
    _seen: deque[tuple[float, float]] = field(default_factory=deque)
    _late: bool = False
    _slow: int = 0

    def add(self, milliseconds: float, now: float) -> bool:
        """Counts a measurement; whether it is a violation by itself."""
        self._seen.append((now, milliseconds))
        self._slow += milliseconds > self.limit_ms
        if len(self._seen) > KEPT:
            self._drop()
        return milliseconds > self.limit_ms

    def p95(self, now: float) -> float:
        while self._seen and self._seen[0][0] <= now - WINDOW_SECONDS:
            self._drop()
        return percentile_95([milliseconds for _, milliseconds in self._seen])

    def turned(self, now: float) -> Turned | None:
        """That the percentile went beyond the limit, or came back; None while it stays where it is.

        It is beyond only where more than a twentieth was slow, which is counted as it comes: the values are sorted when it turns.
        """
        while self._seen and self._seen[0][0] <= now - WINDOW_SECONDS:
            self._drop()
        count = len(self._seen)
        late = count >= LEAST and self._slow >= count - count * 95 // 100
        if late == self._late:
            return None
        self._late = late
        return Turned(late, self.p95(now))

    def _drop(self) -> None:
        self._slow -= self._seen.popleft()[1] > self.limit_ms
