"""Knowledge without the secrets that its words hold."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from continuity.secrets import mask_text

T = TypeVar("T")


def masked(value: T) -> T:
    """The same plain value with the secrets in all its texts replaced by their kinds; keys and numbers stay."""
    return _masked(value)  # type: ignore[no-any-return]


def _masked(value: Any) -> Any:
    if type(value) is str:
        return mask_text(value)
    if isinstance(value, tuple):
        each_masked = [_masked(each) for each in value]
        return type(value)._make(each_masked) if hasattr(value, "_make") else tuple(each_masked)  # a named one keeps its names
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            f.name: _masked(old) for f in fields(value) if isinstance(old := getattr(value, f.name), str | tuple) or is_dataclass(old)
        }
        changed = {name: new for name, new in changed.items() if new != getattr(value, name)}
        return replace(value, **changed) if changed else value
    return value
