"""The strategies for an agent that failed: when it is started anew, when somebody else takes over, when a person is asked (FR-008, FR-010).

Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

THRESHOLD, MOST_FAILURES = 3, 1000
# A restoration in all (FR-009a), from the claim of its epoch until it is ready.
TIMEOUT_SECONDS, LONGEST_TIMEOUT = 30, 600
# An agent that was ready for so long counts its failures anew.
WINDOW_SECONDS, LONGEST_WINDOW = 60, 86_400
LONGEST_PAUSE = 60


class Strategy(StrEnum):
    RESTART = "restart"
    REPLACE = "replace"
    ALERT = "alert"


class FailureCause(StrEnum):
    """`lost`: not heard of in time; `runner_gone`: its whole runner was not, for a minute; `zombie`: it beats and answers no probe;
    `ordered`: a person wanted it, which is no failure."""

    EXITED = "exited"
    KILLED = "killed"
    ZOMBIE = "zombie"
    LOST = "lost"
    RUNNER_GONE = "runner_gone"
    START_FAILED = "start_failed"
    TIMED_OUT = "timed_out"
    ORDERED = "ordered"


# Of these a process may run still: where nobody else goes on it is taken up again, by its next beat, or by its next answer where it hung.
MAY_RETURN = frozenset({FailureCause.LOST, FailureCause.RUNNER_GONE, FailureCause.ZOMBIE})
# Why an agent failed whose backup goes on once a person has approved its briefing.
WAITS_FOR_REVIEW = "briefing waits for review"
# A machine that sleeps, and what people order, is no sign that agents fail together.
NO_INCIDENT = frozenset({FailureCause.RUNNER_GONE, FailureCause.ORDERED})


class RecoveryAction(StrEnum):
    RESTART = "restart"
    REPLACE = "replace"
    ALERT = "alert"
    GIVE_UP = "give_up"


@dataclass(frozen=True, slots=True)
class RecoveryChoice:
    """An action, and the pause before it."""

    action: RecoveryAction
    after: timedelta = timedelta(0)


def pause_of(failures: int) -> timedelta:
    """Before the attempt after so many failures in a row: 1, 2, 4 … 60 seconds."""
    return timedelta(seconds=min(LONGEST_PAUSE, 2 ** min(max(failures, 1) - 1, 6)))


def remaining_pause(due: datetime, *, now: datetime) -> timedelta:
    """The seconds that are left of a back-off; never more than the longest, whatever a clock says."""
    return min(max(due - now, timedelta(0)), timedelta(seconds=LONGEST_PAUSE))


def failures_now(*, before: int, ready_at: datetime | None, now: datetime, window: timedelta) -> int:
    """Failures in a row with this one; those before an agent that stayed ready for the `window` are forgiven."""
    stayed = ready_at is not None and now - ready_at >= window
    return 1 if stayed else before + 1


def choose(*, strategy: str, failures: int, threshold: int, has_runner: bool, backup_is_there: bool) -> RecoveryChoice:
    """Choose the action on a failure. Whom nobody can start is told of; beyond the threshold nobody tries any more by himself."""
    if strategy == Strategy.ALERT or (strategy == Strategy.RESTART and not has_runner):
        return RecoveryChoice(RecoveryAction.ALERT)
    if failures > threshold:
        return RecoveryChoice(RecoveryAction.GIVE_UP)
    if strategy == Strategy.REPLACE:
        return RecoveryChoice(RecoveryAction.REPLACE if backup_is_there else RecoveryAction.GIVE_UP)
    return RecoveryChoice(RecoveryAction.RESTART, pause_of(failures))


def is_tried_again(*, strategy: str, reason: str) -> bool:
    """Whether an agent that failed is started once more while its team is in degradation: `alert` only tells, and a briefing that waits for
    its approval stays what its backup goes on from."""
    return strategy != Strategy.ALERT and reason != WAITS_FOR_REVIEW
