"""Calls by which an agent hands its work in: nothing is left for it to do until somebody speaks."""

from __future__ import annotations

import re

from continuity.distill import ledger, tasks
from continuity.distill.evidence import tools
from continuity.distill.items import Pending
from continuity.distill.language.commitments import ACT, TURN
from continuity.distill.language.shape import announces
from continuity.distill.model import TaskStatus
from continuity.distill.step import Step
from continuity.transcripts.model import Part

# What the shell of a trajectory's harness takes for the end of the work.
_SIGNAL = re.compile(r"\becho\s+[\"']?COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
SUBMIT, SUBMITTED = "submit", "submitted"


def hands_in(pending: Pending) -> bool:
    """Whether a call hands the work in."""
    if pending.command:
        return _SIGNAL.search(pending.command) is not None
    return tools.plain_name(pending.name) in tools.FINISH


def handed_in(step: Step, pending: Pending, result: Part | None = None) -> None:
    """The work is over, unless the result says otherwise: the request is done, what was promised for it too, and the person is next.

    Often no result follows: the session ends with the call.
    """
    if not hands_in(pending):
        return
    state = step.state
    if result is not None and (result.failed or result.exit_code):
        state.outside.pop(SUBMIT)
        state.finished = False
        tasks.set_status(step, TaskStatus.IN_PROGRESS)
        return
    state.outside.put(SUBMIT, str((result.data.get("exitStatus") if result else "") or SUBMITTED)[:60])
    state.phase, state.finished, state.begun = "agent", True, False
    state.next_step = None
    state.closing = None if state.closing is None or announces(state.closing.text) else state.closing
    ledger.settle_all(step, state.promises, frozenset({ACT, TURN}))
    tasks.set_status(step, TaskStatus.COMPLETED)
