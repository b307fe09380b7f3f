"""A policy tried on sessions that are known: how many would have been warned, read ahead and handed off. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from handoffs.policy.policy import Policy


@dataclass(frozen=True, slots=True)
class Lookback:
    """Of `sessions` with a known window: how many came so far."""

    sessions: int
    approached: int
    read_ahead: int
    long_tasks: int
    handed_off: int


def look_back(fills: Sequence[float], policy: Policy) -> Lookback:
    """`fills` are the shares (0..1) of their windows that sessions filled. A session that filled more passed every lower threshold."""
    steps = (policy.approaching_at, policy.fold_at, policy.long_task_at, policy.handoff_at)
    return Lookback(len(fills), *(sum(fill >= at for fill in fills) for at in steps))
