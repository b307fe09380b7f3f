"""Calls by which an agent hands its work in: nothing is left for it to do until somebody speaks."""

from __future__ import annotations

import re

from continuity.knowledge.anchors import recording
from continuity.knowledge.extractors.tools import tool_names
from continuity.knowledge.language.commitments import ACT, TURN
from continuity.knowledge.language.reply_structure import announces
from continuity.knowledge.model import TaskStatus
from continuity.knowledge.state.open_items import Pending
from continuity.knowledge.state.step import FoldStep
from continuity.knowledge.tasks import tracking
from continuity.transcripts.base.model import Part

# What the shell of a trajectory's harness takes for the end of the work.
_SIGNAL = re.compile(r"\becho\s+[\"']?COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
SUBMIT, SUBMITTED = "submit", "submitted"


def hands_in(pending: Pending) -> bool:
    """Whether a call hands the work in."""
    if pending.command:
        return _SIGNAL.search(pending.command) is not None
    return tool_names.plain_name(pending.name) in tool_names.FINISH


def handed_in(step: FoldStep, pending: Pending, result: Part | None = None) -> None:
    """The work is over, unless the result says otherwise: the request is done, what was promised for it too, and the person is next.

    Often no result follows: the session ends with the call.
    """
    if not hands_in(pending):
        return
    state = step.state
    if result is not None and (result.failed or result.exit_code):
        state.outside.pop(SUBMIT)
        state.finished = False
        tracking.set_status(step, TaskStatus.IN_PROGRESS)
        return
    state.outside.put(SUBMIT, str((result.data.get("exitStatus") if result else "") or SUBMITTED)[:60])
    state.phase, state.finished, state.begun = "agent", True, False
    state.next_step = None
    state.closing = None if state.closing is None or announces(state.closing.text) else state.closing
    recording.settle_all(step, state.promises, frozenset({ACT, TURN}))
    tracking.set_status(step, TaskStatus.COMPLETED)
