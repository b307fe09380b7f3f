"""The start of a resumed conversation: its predecessor's fold, with every place counted back from the beginning."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from continuity.knowledge import versions
from continuity.knowledge.state.bounded_maps import BoundedMap
from continuity.knowledge.state.state import KINDS, FoldState

_PLACES = ("seq", "last_seq", "heard_seq")
Move: TypeAlias = Callable[[Any, int], Any]


def inherited(state: FoldState) -> FoldState:
    """The state that the next conversation of a chain folds on from."""
    return FoldState.from_json(inherited_record(state.to_json()))


def inherited_record(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The record (`FoldState.to_json`) of the state that the next conversation of a chain folds on from, given that of the last one.

    Open anchors, tasks and the situation stay. The heir numbers its own messages from 1, so the predecessor's last one
    becomes 0 and those before it -1, -2 and so on. Calls without a result, and the count of files touched, stay behind.
    It is done on the record, since a state has thousands of entries of which a resumption needs none. Raises OutdatedState, NewerState.
    """
    versions.check(raw)
    back = raw["through_seq"]
    heir = {**raw, "rules_version": versions.RULES_VERSION}
    for name, move in _moves().items():
        heir[name] = move(raw[name], back)
    heir |= {"through_seq": 0, "messages": 0, "epoch": 0, "pending": [], "touches": []}
    return heir | {"carried": True, "generation": raw["generation"] + 1}


@cache
def _moves() -> dict[str, Move]:
    """For each field that holds places, how its record moves."""
    empty = FoldState()
    found: dict[str, Move] = {}
    for field in fields(FoldState):
        value = getattr(empty, field.name)
        if isinstance(value, BoundedMap):
            move = _move(value.kind)
            if move is not None:
                found[field.name] = _entries(move)
        elif (move := _move(KINDS.get(field.name, object))) is not None:
            found[field.name] = move
    return found


def _entries(move: Move) -> Move:
    return lambda raw, back: [[key, move(value, back)] for key, value in raw]


def _move(kind: Any) -> Move | None:
    """How the record of a value of this kind moves; None where it holds no place."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        inner = _move(next(each for each in get_args(kind) if each is not type(None)))
        return None if inner is None else lambda raw, back: None if raw is None else inner(raw, back)
    if origin is tuple:
        item = _move(get_args(kind)[0])
        return None if item is None else lambda raw, back: [item(value, back) for value in raw]
    return _dataclass_move(kind) if is_dataclass(kind) else None


def _dataclass_move(kind: Any) -> Move | None:
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]
    places = [n for n, name in enumerate(names) if name in _PLACES]
    inner = [(n, move) for n, name in enumerate(names) if name not in _PLACES and (move := _move(hints[name])) is not None]
    if not places and not inner:
        return None

    def moved(raw: Any, back: int) -> Any:
        values = list(raw)
        for n in places:
            values[n] -= back
        for n, move in inner:
            values[n] = move(values[n], back)
        return values

    return moved
