"""Two values beside each other for a reader: which places changed, with the words that differ marked. Linear in both."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from continuity.shared_state.places import Path, pointer
from continuity.shared_state.values import ABSENT, same

MOST_SHOWN = 200
LONGEST_TEXT = 2000
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text in three: what is `changed` stands between what is the same."""

    before: str
    changed: str
    after: str

    @property
    def whole(self) -> str:
        return self.before + self.changed + self.after


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    """One place that differs; `old` is None where it is new, `new` where it is gone."""

    place: str
    old: MarkedText | None
    new: MarkedText | None


@dataclass(frozen=True, slots=True)
class ChangeList:
    """The first places; `more` counts the others."""

    places: list[ChangedPlace]
    more: int


def between(before: Any, after: Any) -> ChangeList:
    """Either may be ABSENT."""
    shown: list[ChangedPlace] = []
    more = 0
    for path, old, new in _leaves(before, after, ()):
        if len(shown) < MOST_SHOWN:
            shown.append(_place(pointer(path), old, new))
        else:
            more += 1
    return ChangeList(shown, more)


def text_of(value: Any) -> str:
    """A text as it is, any other value as JSON; cut where it is long."""
    told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)
    return told if len(told) <= LONGEST_TEXT else f"{told[:LONGEST_TEXT]}… ({len(told):,} characters)"


def _leaves(before: Any, after: Any, path: Path) -> Iterator[tuple[Path, Any, Any]]:
    if isinstance(before, dict) and isinstance(after, dict):
        for name in [*before, *(name for name in after if name not in before)]:
            yield from _leaves(before.get(name, ABSENT), after.get(name, ABSENT), (*path, name))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _leaves(old, new, (*path, str(number)))
    elif not same(before, after):
        yield path, before, after


def _place(place: str, old: Any, new: Any) -> ChangedPlace:
    if old is ABSENT or new is ABSENT:
        return ChangedPlace(place, _plain(old), _plain(new))
    mine, yours = _WORDS.findall(text_of(old)), _WORDS.findall(text_of(new))
    least = min(len(mine), len(yours))
    start = next((number for number in range(least) if mine[number] != yours[number]), least)
    end = next((number for number in range(least - start) if mine[-1 - number] != yours[-1 - number]), least - start)
    return ChangedPlace(place, _marked(mine, start, end), _marked(yours, start, end))


def _marked(words: list[str], start: int, end: int) -> MarkedText:
    upto = len(words) - end
    return MarkedText("".join(words[:start]), "".join(words[start:upto]), "".join(words[upto:]))


def _plain(value: Any) -> MarkedText | None:
    return None if value is ABSENT else MarkedText("", text_of(value), "")
