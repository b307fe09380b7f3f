"""Leaving out what is known already: a proposal adds to what rules and people found, never doubles it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from continuity.extraction.model import Checked, Reason, WindowLimits
from continuity.knowledge.anchors.keys import normal
from continuity.knowledge.language.content_words import content
from continuity.knowledge.model import Anchor, Ref

SAME_WORK = 0.7  # share of a task's words that another one has


@dataclass(slots=True)
class KnownWords:
    """The knowledge of a conversation to compare with: keys, words and places of its anchors, words of its tasks, and how much of it is a
    model's."""

    keys: set[str] = field(default_factory=set)
    anchors: set[str] = field(default_factory=set)
    places: list[Ref] = field(default_factory=list)
    tasks: list[frozenset[str]] = field(default_factory=list)
    proposed: int = 0
    critical: int = 0
    proposed_tasks: int = 0

    def add_anchor(self, key: str, text: str, place: Ref | None) -> None:
        self.keys.add(key)
        self.anchors.add(normal(text))
        if place is not None:
            self.places.append(place)

    def add_task(self, key: str, text: str) -> None:
        self.keys.add(key)
        self.tasks.append(frozenset(content(text)))

    def has_anchor(self, anchor: Anchor) -> bool:
        """Whether its words are held, or most of them stand in an anchor of the same message."""
        if anchor.key in self.keys or normal(anchor.text) in self.anchors:
            return True
        return any(_shared(anchor.ref, place) >= len(anchor.text) / 2 for place in self.places)

    def has_task(self, key: str, text: str) -> bool:
        words = frozenset(content(text))
        return key in self.keys or any(len(words & other) >= SAME_WORK * max(1, min(len(words), len(other))) for other in self.tasks)


def merge(checked: Checked, held: KnownWords, limits: WindowLimits) -> Checked:
    """`checked` without what is held, and within what a conversation may hold of proposals. `held` is brought up to date."""
    rejected = Counter(checked.rejected)
    anchors = list(_new_anchors(checked.anchors, held, limits, rejected))
    tasks = []
    for task in checked.tasks:
        if held.has_task(task.key, task.description):
            rejected[Reason.ALREADY_KNOWN] += 1
        elif held.proposed_tasks >= limits.all_tasks:
            rejected[Reason.TOO_MANY] += 1
        else:
            held.add_task(task.key, task.description)
            held.proposed_tasks += 1
            tasks.append(task)
    return replace(checked, anchors=tuple(anchors), tasks=tuple(tasks), rejected=rejected)


def _new_anchors(anchors: Iterable[Anchor], held: KnownWords, limits: WindowLimits, rejected: Counter[Reason]) -> Iterable[Anchor]:
    for anchor in anchors:
        if held.has_anchor(anchor):
            rejected[Reason.ALREADY_KNOWN] += 1
            continue
        if held.proposed >= limits.all_anchors:
            rejected[Reason.TOO_MANY] += 1
            continue
        critical = anchor.critical and held.critical < limits.all_critical
        held.add_anchor(anchor.key, anchor.text, anchor.ref)
        held.proposed += 1
        held.critical += critical
        yield replace(anchor, critical=critical)


def _shared(one: Ref, other: Ref) -> int:
    """Characters that two places have in common."""
    if (one.seq, one.part) != (other.seq, other.part):
        return 0
    return max(0, min(one.end, other.end) - max(one.start, other.start))
