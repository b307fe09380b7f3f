"""Decides whether to hand off now, and why (CONT-02's ShouldHandoff; DESIGN "Decide")."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from continuity.knowledge.model import Task, TaskStatus
from handoffs.policy.note_request import NoteRequest
from handoffs.policy.policy import Policy, Recent
from handoffs.policy.usage import WindowUsage

EVENT_APPROACHING = "ContextLimitApproaching"
SUFFICIENT = "Sufficient context remaining"
ABOVE_WINDOW = "Reported usage exceeds the context window; waiting for a corrected count"
NO_WINDOW = "Context window unknown"


class Hold(StrEnum):
    """Why an automatic handoff that would be due is not made."""

    COOLDOWN = "cooldown"  # resumed a moment ago
    STALLED = "stalled"  # the last handoff freed too little to be repeated
    CHAIN_FULL = "chain_full"  # the chain has as many handoffs as it may
    SWITCHED_OFF = "switched_off"
    TIER = "tier"  # automatic handoffs begin at a higher tier
    PREPARING = "preparing"  # it is being made; a later answer names it


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer and what follows from it.

    `should_handoff` and `reason` are the answer. `due` says that an automatic handoff is to be made now; `held` why it
    is not, although the answer or a task boundary calls for one. `event` is the name of the event to publish, if any.
    `utilization` is the used share of the window, 0..1; `above_window` flags a total that cannot be right, of which no turns left
    follow. Share and tokens left are None where the window is not known, `remaining_turns` also where no average is. `fold_now` asks
    to bring knowledge up to date, `note_wanted` for what the outgoing agent is to be asked for a handoff note.
    """

    should_handoff: bool
    reason: str
    utilization: float | None
    remaining_tokens: int | None
    remaining_turns: int | None
    due: bool = False
    held: Hold | None = None
    event: str = ""
    fold_now: bool = False
    above_window: bool = False
    note_wanted: NoteRequest = NoteRequest.NONE


def decide(
    usage: WindowUsage, window: int | None, tasks: Iterable[Task], policy: Policy, now: datetime, *, recent: Recent | None = None
) -> Decision:
    """The decision for a conversation with `usage` of a context window of `window` tokens and these `tasks`.

    `recent` can hold back or advance the automatic act; it never changes the answer. Nothing is decided on usage above
    the window or on an unknown window (None).
    """
    if window is None or window <= 0:
        return Decision(False, NO_WINDOW, None, None, None)
    if usage.total > window:
        return Decision(False, ABOVE_WINDOW, 1.0, 0, None, above_window=True)

    recent = recent or Recent()
    utilization = max(usage.total, 0) / window
    remaining = window - max(usage.total, 0)
    turns = int(remaining // max(usage.average_per_turn, 1.0)) if usage.average_per_turn > 0 else None
    should, reason = _answer(utilization, tasks, policy)
    approaching = not should and utilization >= policy.approaching_at and turns is not None and turns <= policy.approaching_turns
    if approaching:
        left = "less than one turn" if turns == 0 else "1 turn" if turns == 1 else f"{turns} turns"
        reason = f"Context limit approaching: {left} remaining"
    wanted = should or (recent.task_finished and utilization >= policy.boundary_at)
    held = hold_of(policy, recent, now) if wanted else None
    return Decision(
        should_handoff=should,
        reason=reason,
        utilization=utilization,
        remaining_tokens=remaining,
        remaining_turns=turns,
        due=wanted and held is None,
        held=held,
        event=EVENT_APPROACHING if approaching else "",
        fold_now=utilization >= policy.fold_at,
    )


def _answer(utilization: float, tasks: Iterable[Task], policy: Policy) -> tuple[bool, str]:
    if utilization >= policy.handoff_at:
        return True, f"Context window utilization exceeded {policy.handoff_at:.0%} threshold"
    if utilization >= policy.long_task_at:
        steps = max((len(task.steps_left) for task in tasks if task.status is not TaskStatus.COMPLETED), default=0)
        if steps > policy.long_task_steps:
            return True, f"Context window utilization exceeded {policy.long_task_at:.0%} and a task has {steps} steps remaining"
    return False, SUFFICIENT


_IN_PLAIN_WORDS = (
    (re.compile(r"^Context window utilization exceeded (\d+%)(?: threshold)?"), r"The context window is at least \1 full"),
    (re.compile(r"(?<=full) and a task has (\d+) steps remaining"), r", and a task has \1 steps left"),
    (re.compile("^Context limit approaching: (.+) remaining"), r"The context window has room for \1 more"),
    (re.compile(f"^{SUFFICIENT}"), "There is enough room in the context window"),
)


def in_plain_words(reason: str) -> str:
    """A reason as pages tell it: programs know the words that the API answers, and they stay as they are."""
    for known, plain in _IN_PLAIN_WORDS:
        reason = known.sub(plain, reason)
    return reason


def hold_of(policy: Policy, recent: Recent, now: datetime) -> Hold | None:
    if not policy.automatic:
        return Hold.SWITCHED_OFF
    if not policy.licensed:
        return Hold.TIER
    # A resume that lies ahead tells of a clock that was set back, not of one that was just now.
    if recent.resumed_at is not None and timedelta(0) <= now - recent.resumed_at < policy.cooldown:
        return Hold.COOLDOWN
    if recent.last_freed is not None and recent.last_freed < policy.min_freed:
        return Hold.STALLED
    if recent.chain_full:
        return Hold.CHAIN_FULL
    return None
