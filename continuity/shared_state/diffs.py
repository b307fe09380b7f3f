"""Differences as they are stored: from one version to the next, as a tree with the shape of the value.

`{"=": value}` puts a value in the place, `{"-": 1}` removes it, `{"~": {key: difference}}` changes some keys of an object or, by their
numbers, some entries of a list; `{"[": [from, how many, [entries]]}` replaces a run of a list. Keys stay keys and texts stay texts, so that
what blacks words out of a value does the same to a difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from continuity.shared_state.values import ABSENT, BadValue, same

PUT, GONE, SOME, RUN = "=", "-", "~", "["

Difference: TypeAlias = dict[str, Any]


def between(before: Any, after: Any) -> Difference | None:
    """The difference between two values; None where they are the same. Either may be ABSENT."""
    if after is ABSENT:
        return None if before is ABSENT else {GONE: 1}
    if isinstance(before, dict) and isinstance(after, dict):
        # By name, so that the same change is written alike whatever order keys came in.
        names = sorted(before.keys() | after.keys())
        told = {name: found for name in names if (found := between(before.get(name, ABSENT), after.get(name, ABSENT))) is not None}
        return {SOME: told} if told else None
    if isinstance(before, list) and isinstance(after, list):
        return _of_lists(before, after)
    return None if same(before, after) else {PUT: after}


def applied(value: Any, difference: Difference | None) -> Any:
    """The value after the difference; what does not change is shared with the one before. Raises BadValue where it does not fit."""
    if difference is None:
        return value
    ((kind, told),) = difference.items()
    if kind == PUT:
        return told
    if kind == GONE:
        return ABSENT
    if kind == SOME and isinstance(value, dict):
        new = dict(value)
        for name, inner in told.items():
            found = applied(new.get(name, ABSENT), inner)
            if found is ABSENT:
                new.pop(name, None)
            else:
                new[name] = found
        return new
    if kind == SOME and isinstance(value, list):
        entries = list(value)
        for number, inner in told.items():
            entries[int(number)] = applied(entries[int(number)], inner)
        return entries
    if kind == RUN and isinstance(value, list):
        start, count, entries = told
        return [*value[:start], *entries, *value[start + count :]]
    raise BadValue("A stored difference does not fit the version before it")


def _of_lists(before: Sequence[Any], after: Sequence[Any]) -> Difference | None:
    if len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        told = {str(number): found for number, (mine, yours) in pairs if (found := between(mine, yours)) is not None}
        return {SOME: told} if told else None
    least = min(len(before), len(after))
    start = next((number for number in range(least) if not same(before[number], after[number])), least)
    end = next((number for number in range(least - start) if not same(before[-1 - number], after[-1 - number])), least - start)
    return {RUN: [start, len(before) - start - end, list(after[start : len(after) - end])]}
