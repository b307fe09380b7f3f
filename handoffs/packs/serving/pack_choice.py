"""Which of the three packs a turn is given."""

from __future__ import annotations

from dataclasses import dataclass

ANCHOR_PART, CONTEXT_PART, DELTA_PART = "anchor", "context", "delta"


@dataclass(frozen=True, slots=True)
class DeliveredPacks:
    """What last arrived in the session's window: digests, and the head it was made at. Empty at its start and after a compaction, but for
    the message `since` which the window holds what was said."""

    fingerprint: str = ""
    head: str = ""
    anchor: str = ""
    arrived: bool = False
    since: int = 0


def parts(before: DeliveredPacks, *, same_task: bool, head: str, anchor: str, all_in_delta: bool) -> tuple[str, ...]:
    """In the order in which they are shown. Delta alone where nothing else can have changed: the same task, or one that names only what
    the window holds, the head where it was, every changed file in the delta, and the last pack known to have arrived. The Anchor stands
    in the window until its words change."""
    first = () if before.arrived and before.anchor == anchor else (ANCHOR_PART,)
    confident = before.arrived and same_task and before.head == head and all_in_delta
    return (*first, DELTA_PART) if confident else (*first, CONTEXT_PART, DELTA_PART)
