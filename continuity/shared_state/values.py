"""The values of shared states: what they may hold, their digest, and whether two are the same. JSON alone; time is linear in the value."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

DEPTH = 32
# Every reader has room for it: those of other languages take all numbers for floating ones.
GREATEST = 10**308
# Some readers in other languages change all their objects where a key is called so.
FORBIDDEN_KEYS = frozenset({"__proto__"})
LONGEST_KEY = 200


class BadValue(ValueError):
    """What can't be a value of shared state; the message says why and `place` where, never what stands there."""

    def __init__(self, why: str, place: str = "value") -> None:
        self.place = place
        super().__init__(why)


class ValueTooLarge(BadValue):
    """The value has more bytes as JSON than it may."""

    def __init__(self, size: int, limit: int) -> None:
        self.size, self.limit = size, limit
        super().__init__(f"The value has {size:,} bytes, over the limit of {limit:,}")


class _Absent:
    """There is nothing: not even null."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Any = _Absent()


def check(value: Any, *, limit: int) -> int:
    """The size of the value as JSON, in bytes. Raises BadValue, of which ValueTooLarge is one."""
    _check(value, "value", DEPTH)
    size = len(written(value))
    if size > limit:
        raise ValueTooLarge(size, limit)
    return size


def written(value: Any) -> bytes:
    """The one text of a value, whatever order its keys came in."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def digest(value: Any) -> str:
    """Equal for equal values: SHA-256, hexadecimal; empty where there is none."""
    return "" if value is ABSENT else hashlib.sha256(written(value)).hexdigest()


def same(one: Any, other: Any) -> bool:
    """Whether both are the same JSON: 1 is neither true nor 1.0."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(same(mine, yours) for mine, yours in zip(one, other, strict=True))
    return bool(one == other)


def _check(value: Any, place: str, depth: int) -> None:
    kind = type(value)
    if kind is dict or kind is list:
        if depth <= 0:
            raise BadValue(f"A value is nested at most {DEPTH} levels deep", place[:200])
        if kind is list:
            for entry in value:
                _check(entry, place, depth - 1)
            return
        for key, inner in value.items():
            if not isinstance(key, str) or len(key) > LONGEST_KEY:
                raise BadValue(f"The keys of a value are texts of at most {LONGEST_KEY} characters", place[:200])
            if key in FORBIDDEN_KEYS:
                raise BadValue(f"A value has no key {key!r}: it would harm readers written in JavaScript", place[:200])
            _check(inner, f"{place}.{key}" if len(place) < 200 else place, depth - 1)
    elif kind is float:
        if not math.isfinite(value):
            raise BadValue("JSON knows neither NaN nor infinity", place[:200])
    elif kind is int:
        if abs(value) > GREATEST:
            raise BadValue("A number has at most 308 digits; send greater ones as text", place[:200])
    elif not (value is None or kind is bool or kind is str):
        raise BadValue("A value is JSON: objects, lists, texts, numbers, true, false and null", place[:200])
