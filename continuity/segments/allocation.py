"""Divides a room of tokens among parts, and takes from the rest when one part is expanded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

# What telling a segment in a form is worth (DESIGN "Prepare"): briefly, in detail where it holds anchors, by tags, in detail otherwise,
# with what tools printed and wrote.
BRIEF, ANCHORED_DETAIL, TAGS, DETAIL, SHOWN = 3.0, 2.0, 1.0, 0.5, -1.0


def segment_worths(forms: int, *, anchored: bool, late: float) -> tuple[float, ...]:
    """The worths of a segment's one to four forms, the longest last; of two segments the later one (`late`, 0..1) is worth more."""
    detail = ANCHORED_DETAIL if anchored else DETAIL
    worths = {1: (BRIEF,), 2: (TAGS, BRIEF), 3: (TAGS, BRIEF, detail), 4: (TAGS, BRIEF, detail, SHOWN)}[forms]
    return tuple(worth + late / 2 for worth in worths)


@dataclass(frozen=True, slots=True)
class RoomPart:
    """Something that can be told in several forms, the shortest first. `costs` are their tokens, `worths` what having each
    instead of a shorter one is worth beside the forms of all other parts."""

    key: str
    costs: tuple[int, ...]
    worths: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Allocation:
    """`forms` says which form each part got; parts that got none are missing. `expanded` are the forms that were asked for."""

    parts: tuple[RoomPart, ...]
    room: int
    forms: Mapping[str, int] = field(default_factory=dict)
    expanded: Mapping[str, int] = field(default_factory=dict)

    @property
    def used(self) -> int:
        """Tokens taken, never more than the room."""
        return sum(part.costs[self.forms[part.key]] for part in self.parts if part.key in self.forms)


def allocate(parts: Sequence[RoomPart], room: int, *, expanded: Mapping[str, int] | None = None) -> Allocation:
    """The forms within `room` tokens: first those that are `expanded` (the one asked for last first), then all others by
    worth. Deterministic; a form that does not fit leaves its part to shorter ones."""
    wanted = dict(expanded or {})
    by_key = {part.key: part for part in parts}
    forms: dict[str, int] = {}
    left = room
    asked = [(key, form) for key, form in reversed(wanted.items()) if key in by_key]
    steps = sorted(
        ((worth, part.key, form) for part in by_key.values() if part.key not in wanted for form, worth in enumerate(part.worths)),
        key=lambda step: (-step[0], step[1], step[2]),
    )
    fallback = [(key, form) for key, most in asked for form in reversed(range(most))]
    for key, form in (*asked, *((key, form) for _, key, form in steps), *fallback):
        costs, has = by_key[key].costs, forms.get(key)
        price = costs[form] - (costs[has] if has is not None else 0)
        if (has is None or form > has) and price <= left:
            forms[key] = form
            left -= price
    return Allocation(tuple(by_key.values()), room, forms, wanted)


def rebalance(allocation: Allocation, key: str, form: int) -> Allocation:
    """The allocation after part `key` was expanded to `form`: it comes first, and what it takes others give, the least worth first.

    Where it does not fit by itself it keeps the longest form that does. Raises KeyError on an unknown part, IndexError on an unknown form.
    """
    part = {part.key: part for part in allocation.parts}[key]
    part.costs[form]
    earlier = {name: had for name, had in allocation.expanded.items() if name != key}
    return allocate(allocation.parts, allocation.room, expanded={**earlier, key: form})
