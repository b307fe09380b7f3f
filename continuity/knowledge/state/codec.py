"""Plain dataclasses to JSON values and back, so that the fold's state can be stored between messages."""

from __future__ import annotations

import json
import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from json.encoder import encode_basestring_ascii
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


@cache
def _names(cls: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(cls))


def encode(value: Any) -> Any:
    """A dataclass as the list of its fields (in order), an enum as its value, a set sorted; the rest as it is."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(value)
    if is_dataclass(value):
        kind: Any = type(value)
        return [encode(getattr(value, name)) for name in _names(kind)]
    raise TypeError(f"no JSON form for {type(value).__name__}")


def decode(cls: type[T], raw: Any) -> T:
    """The inverse of `encode` for the annotated type `cls`. Raises ValueError or TypeError where the shapes differ."""
    make = _decoder(cls)  # type: ignore[arg-type]
    made: T = raw if make is None else make(raw)
    return made


@cache
def _decoder(kind: Any) -> Callable[[Any], Any] | None:
    """None where the JSON value is the value itself."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        inner = _decoder(next(a for a in get_args(kind) if a is not type(None)))
        return None if inner is None else lambda raw: None if raw is None else inner(raw)
    if origin is tuple:
        item = _decoder(get_args(kind)[0])
        return tuple if item is None else lambda raw: tuple(map(item, raw))
    if origin is frozenset:
        return frozenset
    if is_dataclass(kind):
        return _dataclass_decoder(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    return None


def _dataclass_decoder(kind: Any) -> Callable[[Any], Any]:
    hints, names = get_type_hints(kind), _names(kind)
    inner = [(at, make) for at, name in enumerate(names) if (make := _decoder(hints[name])) is not None]

    def build(raw: Any) -> Any:
        values = list(raw)
        if len(values) != len(names):
            raise ValueError(f"{kind.__name__} has {len(names)} fields, not {len(values)}")
        for at, make in inner:
            values[at] = make(values[at])
        return kind(*values)

    return build


def cost(value: Any) -> int:
    """Bytes that an encodable value takes as ASCII JSON."""
    if isinstance(value, str):
        return len(encode_basestring_ascii(value))
    if value is None or value is True:
        return 4
    if value is False:
        return 5
    if isinstance(value, (int, float)):
        return len(json.dumps(value) if type(value) is not int else str(value))
    kind: Any = type(value)
    inner = value if isinstance(value, (tuple, list, frozenset)) else [getattr(value, name) for name in _names(kind)]
    return sum(map(cost, inner)) + max(2, len(inner) + 1)
