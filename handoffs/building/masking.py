"""Knowledge without the secrets that its words hold."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

from continuity.secrets import mask_text

T = TypeVar("T")


def masked(value: T) -> T:
    """The same plain value with the secrets in all its texts replaced by their kinds; keys and numbers stay."""
    return _masked(value, {})  # type: ignore[no-any-return]


def _masked(value: Any, known: dict[str, str]) -> Any:
    """`known` are the texts masked so far: many stand in several places. What holds no secret is returned as it is."""
    kind = type(value)
    if kind is str:
        if value not in known:
            known[value] = mask_text(value)
        return value if known[value] == value else known[value]
    if isinstance(value, tuple):
        each_masked = [_masked(each, known) for each in value]
        if all(new is old for new, old in zip(each_masked, value, strict=True)):
            return value
        return kind._make(each_masked) if hasattr(kind, "_make") else tuple(each_masked)  # a named one keeps its names
    changed = {}
    for name in _fields_of(kind):  # type: ignore[arg-type]  # mypy takes a type for no Hashable
        old = getattr(value, name)
        new = _masked(old, known)
        if new is not old:
            changed[name] = new
    return replace(value, **changed) if changed else value


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    """The names of a dataclass's fields; none of any other type."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()
