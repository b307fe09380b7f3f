"""What a resumed conversation starts from: its predecessor's fold, with every place counted back from the beginning."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from continuity.distill.bounded import BoundedMap
from continuity.distill.state import FoldState

T = TypeVar("T")
_PLACES = ("seq", "last_seq")


def inherited(state: FoldState) -> FoldState:
    """The state that the next conversation of a chain folds on from.

    Open anchors, tasks and the situation stay. The heir numbers its own messages from 1, so the predecessor's last one
    becomes 0 and those before it -1, -2 and so on. Calls without a result, and the count of files touched, stay behind.
    """
    back = state.through_seq
    heir = state.copy()
    for field in fields(FoldState):
        value = getattr(state, field.name)
        if isinstance(value, BoundedMap):
            _rebase(getattr(heir, field.name), value, back)
        else:
            setattr(heir, field.name, _moved(value, back))
    heir.through_seq = heir.messages = heir.epoch = 0
    heir.carried = True
    heir.generation = state.generation + 1
    heir.pending.clear()
    heir.touches.clear()
    return heir


def _rebase(target: BoundedMap[T], source: BoundedMap[T], back: int) -> None:
    for key, value in source.items():
        target.replace(key, _moved(value, back))


def _moved(value: T, back: int) -> T:
    """The value with every place in it `back` messages earlier."""
    if isinstance(value, tuple):
        return tuple(_moved(inner, back) for inner in value)  # type: ignore[return-value]
    if not is_dataclass(value) or isinstance(value, type):
        return value
    now = {field.name: getattr(value, field.name) for field in fields(value)}
    return replace(value, **{name: old - back if name in _PLACES else _moved(old, back) for name, old in now.items()})
