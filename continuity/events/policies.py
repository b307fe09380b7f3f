"""Replay policies: which events from its absence a subscriber gets (FR-016a, FR-016b). Pure."""

from __future__ import annotations

from enum import StrEnum


class ReplayPolicy(StrEnum):
    NONE = "none"
    FULL = "full"
    CRITICAL_ONLY = "critical-only"


DEFAULT = ReplayPolicy.CRITICAL_ONLY
# Critical whoever tells of them, beside what a publisher marks so.
CRITICAL = frozenset({"agent:failed", "agent:degraded", "alert:raised", "conversation:erased", "delivery:abandoned", "handoff:failed"})


def is_critical(topic: str, *, marked: bool) -> bool:
    return marked or topic in CRITICAL


def is_delivered(policy: str, topic: str, *, marked: bool, missed: bool) -> bool:
    """Whether a subscriber gets an event: whatever happens while it is there, and of what it `missed` what its policy says."""
    if not missed or policy == ReplayPolicy.FULL:
        return True
    return policy == ReplayPolicy.CRITICAL_ONLY and is_critical(topic, marked=marked)


def is_degraded(replayed: int, failed: int) -> bool:
    """Whether so many of the replayed events failed that the agent can't be trusted to know what happened (its test: 5 of 10)."""
    return replayed > 0 and failed * 2 >= replayed
