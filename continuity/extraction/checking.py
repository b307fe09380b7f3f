"""Holding an answer against the conversation: what is not verbatim, not known or not within bounds is left out and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from continuity import secrets
from continuity.extraction.model import METHOD, Checked, KnownItems, ModelWindow, Reason, Settled, TaskMoved, WindowExcerpt, WindowLimits
from continuity.extraction.quoting import place
from continuity.extraction.schema import SETTLED_AS, TASK_STATUSES
from continuity.knowledge.anchor_types import CHOSEN
from continuity.knowledge.anchors.keys import digest, key
from continuity.knowledge.model import Anchor, AnchorType, Ref, Task, TaskStatus, Truth

T = TypeVar("T")
Item = Mapping[str, Any]
TYPES = {kind.value: kind for kind in AnchorType}


def check(answer: Mapping[str, Any], window: ModelWindow, limits: WindowLimits) -> Checked:
    """Keep those proposals of `answer` (as `read_answer` gives it) that hold for `window`."""
    rejected: Counter[Reason] = Counter()
    anchors = _each(answer.get("anchors", []), limits.anchors, rejected, lambda item: _anchor(item, window, limits))
    tasks = _each(answer.get("tasks", []), limits.tasks, rejected, lambda item: _task(item, window, limits))
    settled = _each(answer.get("settled", []), limits.settled, rejected, lambda item: _settled(item, window, limits))
    return Checked(
        anchors=anchors,
        tasks=tuple(task for task in tasks if isinstance(task, Task)),
        settled=settled,
        moved=tuple(task for task in tasks if isinstance(task, TaskMoved)),
        summary=_summary(answer.get("summary", ""), limits, rejected),
        rejected=rejected,
    )


def _each(items: Sequence[Any], most: int, rejected: Counter[Reason], read: Callable[[Item], T | Reason]) -> tuple[T, ...]:
    kept: list[T] = []
    for item in items[:most]:
        result = read(item) if isinstance(item, dict) else Reason.SHAPE
        if isinstance(result, Reason):
            rejected[result] += 1
        else:
            kept.append(result)
    if len(items) > most:
        rejected[Reason.TOO_MANY] += len(items) - most
    return tuple(kept)


def _anchor(item: Item, window: ModelWindow, limits: WindowLimits) -> Anchor | Reason:
    type = TYPES.get(item["type"]) if isinstance(item.get("type"), str) else None
    if type is None:
        return Reason.UNKNOWN_TYPE
    importance = item.get("importance")
    if isinstance(importance, bool) or not isinstance(importance, int | float):
        return Reason.SHAPE
    if not 0 <= importance <= 1:
        return Reason.OUT_OF_RANGE
    found = _quoted(item, window, limits)
    if isinstance(found, Reason):
        return found
    excerpt, ref = found
    return Anchor(
        key=key(type.value, ref),
        type=type,
        text=excerpt.text[ref.start : ref.end],
        ref=ref,
        importance=round(float(importance), 3),
        truth=excerpt.truth,
        method=METHOD,
        critical=excerpt.truth is Truth.STATED and type in CHOSEN,
    )


def _task(item: Item, window: ModelWindow, limits: WindowLimits) -> Task | TaskMoved | Reason:
    status = TASK_STATUSES.get(item["status"]) if isinstance(item.get("status"), str) else None
    if status is None:
        return Reason.UNKNOWN_TYPE
    found = _quoted(item, window, limits)
    if isinstance(found, Reason):
        return found
    excerpt, ref = found
    if item.get("task") is not None:
        known = _known(item["task"], window.tasks)
        return known if isinstance(known, Reason) else TaskMoved(known.key, status, ref.seq)
    if status is TaskStatus.COMPLETED:
        return Reason.OUT_OF_RANGE  # what is finished needs no task
    name = digest(f"{METHOD}|task|{ref.seq}|{ref.part}|{ref.start}", 6)
    return Task(name, excerpt.text[ref.start : ref.end], status, ref.seq, ref.seq, METHOD)


def _settled(item: Item, window: ModelWindow, limits: WindowLimits) -> Settled | Reason:
    state = SETTLED_AS.get(item["how"]) if isinstance(item.get("how"), str) else None
    if state is None:
        return Reason.UNKNOWN_TYPE
    known = _known(item.get("anchor"), window.anchors)
    if isinstance(known, Reason):
        return known
    found = _quoted(item, window, limits)
    return found if isinstance(found, Reason) else Settled(known.key, state, found[1].seq)


def _quoted(item: Item, window: ModelWindow, limits: WindowLimits) -> tuple[WindowExcerpt, Ref] | Reason:
    seq = item.get("message")
    if isinstance(seq, bool) or not isinstance(seq, int) or seq not in window.seqs:
        return Reason.UNKNOWN_MESSAGE
    return place(item.get("quote"), [excerpt for excerpt in window.excerpts if excerpt.seq == seq], limits)


def _known(id: object, items: Sequence[KnownItems]) -> KnownItems | Reason:
    known = next((item for item in items if item.id == id), None)
    if known is None:
        return Reason.UNKNOWN_ID
    return known if known.own else Reason.NOT_ITS_OWN


def _summary(text: str, limits: WindowLimits, rejected: Counter[Reason]) -> str:
    """The summary on one line; none rather than half of one, or one with a secret in it."""
    summary = " ".join(text.split())
    reason = Reason.TOO_LONG if len(summary) > limits.summary else Reason.MASKED if secrets.find(summary) else None
    if reason is None:
        return summary
    rejected[reason] += 1
    return ""
