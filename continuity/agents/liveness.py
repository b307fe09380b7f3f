"""Who beats and does not work (FR-009): probes are asked for, handed to the runner with a beat, and answered with another. Pure.

Who has no probe is never asked, and never taken for a zombie.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

EVERY = 10.0
# A runner measures the time itself and says so; one that says nothing has this many intervals of beats more.
SPARE_BEATS = 2


class ProbeState(StrEnum):
    ASKED = "asked"
    HANDED = "handed"
    ANSWERED = "answered"
    FAILED = "failed"


@dataclass(slots=True)
class _Probe:
    asked: float
    handed: float | None = None


@dataclass(slots=True)
class Liveness:
    """`timeout` and `interval` (of beats) in seconds; all times by one monotonic clock."""

    timeout: float
    interval: float
    _open: dict[str, _Probe] = field(default_factory=dict)
    _next: dict[str, float] = field(default_factory=dict)

    @property
    def open(self) -> Collection[str]:
        """The agents that were probed and have not answered yet."""
        return self._open.keys()

    def look(self, *, clock: float, watched: Collection[str], states: Mapping[str, ProbeState]) -> tuple[list[str], list[str]]:
        """Return the agents to probe now, and those that are zombies; `states` are those of the probes that were asked for."""
        self._open = {who: probe for who, probe in self._open.items() if who in watched}
        self._next = {who: self._next.get(who, clock) for who in watched}
        zombies = set()
        for who, probe in list(self._open.items()):
            state = states.get(who)
            if state == ProbeState.ANSWERED:
                del self._open[who]
            elif state == ProbeState.FAILED or self._is_late(probe, state, clock):
                del self._open[who]
                zombies.add(who)
            elif state is None:
                del self._open[who]  # The broker lost it: it is asked again.
                self._next[who] = clock
        asked = [who for who in watched if who not in self._open and self._next[who] <= clock and who not in zombies]
        for who in asked:
            self._open[who] = _Probe(clock)
            self._next[who] = clock + EVERY
        return sorted(asked), sorted(zombies)

    def excuse(self, *, clock: float) -> None:
        """Nobody could ask or answer for a while: what is open has its time again."""
        for probe in self._open.values():
            probe.asked = clock
            probe.handed = clock if probe.handed is not None else None

    def _is_late(self, probe: _Probe, state: ProbeState | None, clock: float) -> bool:
        """Only what was handed to a runner can be late: one that does not fetch it is silent, which is another matter."""
        if state != ProbeState.HANDED:
            return False
        if probe.handed is None:
            probe.handed = clock
        return clock - probe.handed >= self.timeout + SPARE_BEATS * self.interval
