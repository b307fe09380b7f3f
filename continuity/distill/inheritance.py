"""What a resumed conversation starts from: its predecessor's fold, with every place told as "before the beginning"."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from continuity.distill.bounded import BoundedMap
from continuity.distill.state import FoldState

T = TypeVar("T")
_PLACES = ("seq", "last_seq")


def inherited(state: FoldState) -> FoldState:
    """The state that the next conversation of a chain folds on from.

    Open anchors, tasks and the situation stay; places in the predecessor's messages become 0, since the heir numbers its
    own from 1. Calls without a result, and the count of files touched, stay behind.
    """
    heir = state.copy()
    for field in fields(FoldState):
        value = getattr(state, field.name)
        if isinstance(value, BoundedMap):
            _rebase(getattr(heir, field.name), value)
        else:
            setattr(heir, field.name, _before(value))
    heir.through_seq = heir.messages = heir.epoch = 0
    heir.carried = True
    heir.pending.clear()
    heir.touches.clear()
    return heir


def _rebase(target: BoundedMap[T], source: BoundedMap[T]) -> None:
    for key, value in source.items():
        target.replace(key, _before(value))


def _before(value: T) -> T:
    """The value with every place in it at 0."""
    if isinstance(value, tuple):
        return tuple(_before(inner) for inner in value)  # type: ignore[return-value]
    if not is_dataclass(value) or isinstance(value, type):
        return value
    moved = {name: 0 if name in _PLACES else _before(getattr(value, name)) for name in (field.name for field in fields(value))}
    return replace(value, **moved)
