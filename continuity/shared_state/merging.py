"""Merging two changes of one value, place by place: what only one side changed is taken, and a place that both did needs a rule."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from continuity.shared_state.names import MergeRule
from continuity.shared_state.places import Path, PlaceRules, pointer
from continuity.shared_state.values import ABSENT, GREATEST, same, written

# More places than anybody reads; the rest is only counted.
MOST_PLACES = 20


@dataclass(slots=True)
class MergedValue:
    """`value` holds what the first side has where both changed the same `places` (JSON Pointers, 20 at most); `contested` counts them."""

    value: Any
    places: list[str] = field(default_factory=list)
    contested: int = 0


def three_way(base: Any, first: Any, second: Any, rules: Mapping[str, str] | None = None) -> MergedValue:
    """Both changes of `base` in one value. Any of the three may be ABSENT, and so may be what comes of them."""
    found = MergedValue(ABSENT)
    found.value = _merged(base, first, second, (), PlaceRules(rules or {}), found)
    return found


def _merged(base: Any, first: Any, second: Any, path: Path, rules: PlaceRules, found: MergedValue) -> Any:
    if same(base, second):
        return first
    if same(base, first):
        return second
    if isinstance(first, dict) and isinstance(second, dict) and (base is ABSENT or isinstance(base, dict)):
        before = base if isinstance(base, dict) else {}
        new = {}
        for name in [*first, *(name for name in second if name not in first)]:
            told = (before.get(name, ABSENT), first.get(name, ABSENT), second.get(name, ABSENT))
            if (value := _merged(*told, (*path, name), rules, found)) is not ABSENT:
                new[name] = value
        return new
    # Only now: two who raised a counter alike raised it twice.
    rule = rules.of(path)
    if rule == MergeRule.COUNTER and (counted := _counted(base, first, second)) is not None:
        return counted
    if same(first, second):
        return first
    if rule == MergeRule.SET and isinstance(first, list) and isinstance(second, list) and (base is ABSENT or isinstance(base, list)):
        return _united(base if isinstance(base, list) else [], first, second)
    found.contested += 1
    if len(found.places) < MOST_PLACES:
        found.places.append(pointer(path)[:500])
    return first


def _counted(base: Any, first: Any, second: Any) -> int | float | None:
    """Both differences added; None where it is no counter, or no number any more."""
    numbers = [0 if each is ABSENT else each for each in (base, first, second)]
    if first is ABSENT or second is ABSENT or any(type(each) not in (int, float) for each in numbers):
        return None
    before, mine, yours = numbers
    counted: int | float = mine + (yours - before)
    fits = math.isfinite(counted) if isinstance(counted, float) else abs(counted) <= GREATEST
    return counted if fits else None


def _united(base: list[Any], first: list[Any], second: list[Any]) -> list[Any]:
    """The items of the first without those that the second removed, then those that the second added; each once."""
    before, theirs = {written(each) for each in base}, {written(each) for each in second}
    kept: dict[bytes, Any] = {}
    for each in first:
        text = written(each)
        if text in theirs or text not in before:
            kept.setdefault(text, each)
    for each in second:
        text = written(each)
        if text not in before:
            kept.setdefault(text, each)
    return list(kept.values())
