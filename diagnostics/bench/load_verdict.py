"""What a run under full load comes to."""

from __future__ import annotations

from dataclasses import dataclass

CREATION_MS, MOST_SLOWER, MOST_CPU = 50.0, 1.5, 0.02


@dataclass(frozen=True, slots=True)
class LoadVerdict:
    """`opened_ms` is the p95 of opening a conversation; `slower` the p95 of appending at full load by that at ten conversations,
    `slower_processor` the same of the median of the processor's time; `metrics_cpu` the share of one core's time that metrics took."""

    conversations: int
    opened_ms: float
    slower: float
    slower_processor: float
    metrics_cpu: float
    refused_beyond: bool
    recorder_let_in: bool

    @property
    def ok(self) -> bool:
        fast = self.opened_ms < CREATION_MS and self.slower <= MOST_SLOWER and self.metrics_cpu < MOST_CPU
        return fast and self.refused_beyond and self.recorder_let_in
