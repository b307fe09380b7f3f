"""How versions are kept: a snapshot at least each 20, differences between them; old ones go in whole stretches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from continuity.shared_state import diffs
from continuity.shared_state.diffs import Difference
from continuity.shared_state.values import ABSENT, BadValue, written

SNAPSHOT_EACH = 20


@dataclass(frozen=True, slots=True)
class StoredStep:
    """One version as it is stored: a snapshot (a list of one value, an empty one where the version removed the state), or a difference
    from the one before. `size` is that of the one of both, in bytes."""

    number: int
    snapshot: list[Any] | None = None
    difference: Difference | None = None
    size: int = 0

    @property
    def begins(self) -> bool:
        """Whether it can be read without the versions before it."""
        return self.snapshot is not None


def step(*, number: int, before: Any, after: Any, since_snapshot: int) -> StoredStep:
    """How version `number` is stored; `since_snapshot` counts the versions from the last snapshot on, 0 where there is none."""
    whole: list[Any] = [] if after is ABSENT else [after]
    size = len(written(whole))
    if before is ABSENT or after is ABSENT or not 0 < since_snapshot < SNAPSHOT_EACH:
        return StoredStep(number, snapshot=whole, size=size)
    difference = diffs.between(before, after) or {diffs.SOME: {}}
    told = len(written(difference))
    return StoredStep(number, difference=difference, size=told) if told < size else StoredStep(number, snapshot=whole, size=size)


def value_of(steps: Iterable[StoredStep]) -> Any:
    """The value of the last of these, which follow upon each other from a snapshot on. Raises BadValue."""
    value, begun = ABSENT, False
    for each in steps:
        if each.snapshot is not None:
            value, begun = (each.snapshot[0] if each.snapshot else ABSENT), True
        elif begun:
            value = diffs.applied(value, each.difference)
        else:
            raise BadValue("The version before a difference is missing")
    if not begun:
        raise BadValue("There is no such version")
    return value


def to_drop(sizes: Sequence[tuple[int, int, bool]], *, most: int, most_bytes: int, needed: int) -> int:
    """The first version that stays. `sizes` are number, bytes, and whether it begins, oldest first.

    What stays begins with a snapshot, is at most `most` versions and `most_bytes`, as far as that is possible without the version
    `needed` and those from its snapshot on.
    """
    total, count = sum(size for _, size, _ in sizes), len(sizes)
    keep_from = 0
    for number, size, begins in sizes:
        if begins:
            if number > needed:
                break
            keep_from = number
            if count <= most and total <= most_bytes:
                break
        total, count = total - size, count - 1
    return keep_from
