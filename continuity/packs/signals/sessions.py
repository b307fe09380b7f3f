"""The work of earlier sessions here: files that they edited while they worked on those that the request is about.

Also tried and left out, since they gained nothing on cases that the weights were not fitted on: files edited or read lately in sessions,
in sessions that were asked the like, and the words of sessions as words of the files that they edited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from continuity.packs.matching import scaled
from continuity.packs.signals import Column, Columns

SEEDS = 8
SCEPTICAL = 2  # two files that met in the only session of one are no pair yet


@dataclass(frozen=True, slots=True)
class EarlierSession:
    """`at` when it last worked on a file (seconds since 1970); paths as the repository has them."""

    id: str
    at: float
    edited: tuple[str, ...]
    read: tuple[str, ...]


def worked_together(sessions: Sequence[EarlierSession], known: Mapping[str, int], seed: Column) -> Columns:
    """Edited in sessions that read or edited the best by `seed`, as a share of all those that did. The order of sessions is no matter."""
    best = frozenset(sorted((i for i in range(len(known)) if seed[i] > 0), key=lambda i: (-seed[i], i))[:SEEDS])
    worked: Counter[int] = Counter()
    joint: Counter[tuple[int, int]] = Counter()
    for session in sessions:
        edited = {known[path] for path in session.edited if path in known}
        both = edited | {known[path] for path in session.read if path in known}
        worked.update(both)
        joint.update((one, other) for one in both & best for other in edited if other != one)
    column = [0.0] * len(known)
    for (one, other), times in sorted(joint.items()):
        column[other] += seed[one] * times / (worked[one] + SCEPTICAL)
    return {"worked_together": scaled(column)}
