"""Limits on the length of single lines: a small budget gets short lines before it loses whole ones."""

from __future__ import annotations

from dataclasses import dataclass

CHARS_PER_TOKEN = 4
REASONS_FROM = 250
# Below this, a line of an earlier exchange takes the room of what the person stated.
EARLIER_FROM = 900
LITTLE = 100


@dataclass(frozen=True, slots=True)
class LineLimits:
    """Characters at most: `quote` for the goal and the next step, `anchor` for an anchor that is not critical, `task` for a
    task's description, `turn` for one side of a recent exchange, `result` for the output of a check. `steps` is how many
    done steps an open task shows; `reasons` says whether decisions bring theirs, `earlier` whether exchanges before the
    last one are told. `block` is for the request in work and the agent's last words each, `row` for an earlier message of the person,
    `outcome` for what came of it."""

    quote: int
    anchor: int
    task: int
    turn: int
    result: int
    steps: int
    reasons: bool
    earlier: bool
    block: int
    row: int
    outcome: int


def limits_for(budget: int) -> LineLimits:
    """The limits at a budget of tokens: a share of it each, between what can still be read and what is enough."""
    room = budget * CHARS_PER_TOKEN

    def share(of: float, least: int, most: int) -> int:
        return max(least, min(int(room * of), most))

    return LineLimits(
        quote=share(0.05, 90, 1200),
        anchor=share(0.04, 140, 1600),
        task=share(0.02, 100, 1600),
        turn=share(0.06, 120, 2000),
        result=share(0.015, 40, 400),
        steps=share(0.0005, 0, 12),
        reasons=budget >= REASONS_FROM,
        earlier=budget >= EARLIER_FROM,
        block=share(0.17 if budget >= EARLIER_FROM else 0.1, 120, 6000),
        row=share(0.012, 60, 400),
        outcome=share(0.04, 80, 1200),
    )
