"""Knowledge without the secrets that its words hold."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import cache
from operator import is_
from typing import Any, TypeVar

from continuity.secrets import mask_text

T = TypeVar("T")


# Values that hold no words.
_WORDLESS = frozenset({int, bool, float, type(None)})


def masked(value: T) -> T:
    """The same plain value with the secrets in all its texts replaced by their kinds; keys and numbers stay."""
    return _masked(value, {})  # type: ignore[no-any-return]


def _masked(value: Any, known: dict[str, str]) -> Any:
    """`known` are the texts masked so far: many stand in several places. What holds no secret is returned as it is."""
    kind = type(value)
    if kind is str:
        told = known.get(value)
        if told is None:
            told = known[value] = mask_text(value)
        return value if told == value else told
    if issubclass(kind, tuple):
        each_masked = [each if type(each) in _WORDLESS else _masked(each, known) for each in value]
        if all(map(is_, each_masked, value)):
            return value
        return kind._make(each_masked) if hasattr(kind, "_make") else tuple(each_masked)  # a named one keeps its names
    changed = {}
    for name in _fields_of(kind):  # type: ignore[arg-type]  # mypy takes a type for no Hashable
        old = getattr(value, name)
        if type(old) in _WORDLESS:
            continue
        new = _masked(old, known)
        if new is not old:
            changed[name] = new
    return replace(value, **changed) if changed else value


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    """The names of a dataclass's fields; none of any other type."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()
