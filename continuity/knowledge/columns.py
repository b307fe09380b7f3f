"""Anchors, files and tasks from the columns of their rows. Each function takes its columns in the order in which they stand here."""

from collections.abc import Sequence
from uuid import UUID

from continuity.knowledge import model as distill

ANCHOR = (
    *("key", "type", "text", "source_seq", "source_part", "source_start", "source_end", "importance", "truth", "method", "critical"),
    *("state", "superseded_by", "settled_seq", "subject", "rationale", "rejected", "pinned", "origin_conversation_id"),
)
TOUCH = ("path", "action", "first_seq", "last_seq", "epoch", "count", "note", "symbols")
TASK = ("key", "description", "status", "first_seq", "last_seq", "method", "steps_done", "steps_left", "blocking_reason", "tool_id")

# Looking a value up takes a quarter of the time of asking its enumeration for the member.
_TYPES = {each.value: each for each in distill.AnchorType}
_TRUTHS = {each.value: each for each in distill.Truth}
_STATES = {each.value: each for each in distill.AnchorState}
_ACTIONS = {each.value: each for each in distill.FileAction}


def anchor(
    key: str,
    type: str,
    text: str,
    seq: int,
    part: int,
    start: int,
    end: int,
    importance: float,
    truth: str,
    method: str,
    critical: bool,
    state: str,
    superseded_by: str,
    settled_seq: int | None,
    subject: str,
    rationale: str,
    rejected: str,
    pinned: bool,
    origin: UUID | None,
) -> distill.Anchor:
    return distill.Anchor(
        key=key,
        type=_TYPES[type],
        text=text,
        ref=distill.Ref(0 if origin else seq, part, start, end),
        importance=importance,
        truth=_TRUTHS[truth],
        method=method,
        critical=critical or pinned,
        state=_STATES[state],
        superseded_by=superseded_by,
        settled_seq=settled_seq,
        subject=subject,
        rationale=rationale,
        rejected=rejected,
    )


def touch(
    path: str, action: str, first_seq: int, last_seq: int, epoch: int, count: int, note: str, symbols: Sequence[str]
) -> distill.FileTouch:
    return distill.FileTouch(path, _ACTIONS[action], first_seq, last_seq, epoch, count, note, tuple(symbols))


def task(
    key: str,
    description: str,
    status: int,
    first_seq: int,
    last_seq: int,
    method: str,
    steps_done: Sequence[str],
    steps_left: Sequence[str],
    blocking_reason: str,
    tool_id: str,
) -> distill.Task:
    return distill.Task(
        key=key,
        description=description,
        status=distill.TaskStatus(status),
        seq=first_seq,
        last_seq=last_seq,
        method=method,
        steps_done=tuple(steps_done),
        steps_left=tuple(steps_left),
        blocking_reason=blocking_reason,
        tool_id=tool_id,
    )
