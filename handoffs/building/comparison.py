"""Compares a package with all knowledge, and with the package before it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from continuity.knowledge.model import Knowledge
from handoffs.budgeting.budget import value
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.duplicates import distinct
from handoffs.budgeting.limits import limits_for
from handoffs.building.assembly import candidates_of
from handoffs.contract.model import Package, PackageItem, PackageSection, SectionKind
from handoffs.directive.line_overrides import Steering

LISTS = frozenset(("uncommitted", "unknown"))  # labels of lines that are a list of files
# What was said last and hints at what is left out differ in every package, and tell nothing about it.
PASSING = frozenset((SectionKind.GOAL, SectionKind.RECENT, SectionKind.LAST, SectionKind.LOOKUP))


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """An item with its section, and what it is worth among the others (0 and more)."""

    kind: SectionKind
    item: PackageItem
    worth: float


@dataclass(frozen=True, slots=True)
class Changed:
    kind: SectionKind
    before: PackageItem
    after: PackageItem


@dataclass(frozen=True, slots=True)
class Gone:
    """An item that is not there any more; `why` is superseded, resolved, dismissed, done, left out (it still holds, others took its room),
    or overtaken (a state, a file or an exchange, of which newer ones are told)."""

    kind: SectionKind
    item: PackageItem
    why: str
    superseded_by: str = ""


@dataclass(frozen=True, slots=True)
class PackageDifference:
    """What is new, gone (superseded ones among them) and changed since the previous package of a chain."""

    new: tuple[tuple[SectionKind, PackageItem], ...]
    gone: tuple[Gone, ...]
    changed: tuple[Changed, ...]


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of something known: its state, and the key of what superseded it."""

    state: str
    by: str = ""


def left_out(knowledge: Knowledge, package: Package, steering: Steering) -> list[ComparedLine]:
    """What is known and not in the package, the most valuable first; also what a person dismissed from it."""
    limits = limits_for(package.options.budget)
    everything = candidates_of(knowledge, package.options, limits, Steering(references=steering.references))
    return lines_left_out(distinct(everything).candidates, package)


def lines_left_out(known: Iterable[Candidate], package: Package) -> list[ComparedLine]:
    """Which of the distinct lines `known` are not in the package, the most valuable first."""
    shown = {item.key for section in package.sections for item in section.items}
    rest = [candidate for candidate in known if candidate.item.key not in shown]
    return [ComparedLine(candidate.kind, candidate.item, round(value(candidate), 4)) for candidate in sorted(rest, key=_by_value)]


def difference(before: Sequence[PackageSection], after: Sequence[PackageSection], fates: Mapping[str, Fate]) -> PackageDifference:
    """The difference between two packages of a chain, item by item; `fates` tell what became of those that are gone, by key."""
    old, new = _by_key(before), _by_key(after)
    both = [key for key in new if key in old]
    gone = [_gone(*old[key], fates.get(key)) for key in old if key not in new]
    # What is kept only to say that it no longer holds has gone as well.
    gone += [_gone(*old[key], fates.get(key)) for key in both if new[key][1].label == "not" != old[key][1].label]
    come = [new[key] for key in new if key not in old and new[key][1].label != "not"]
    stays = {_parts(each.kind, each.item) for each in gone} & {_parts(*each) for each in come}
    return PackageDifference(
        new=tuple(each for each in come if _parts(*each) not in stays),
        gone=tuple(each for each in gone if _parts(each.kind, each.item) not in stays),
        changed=tuple(
            Changed(new[key][0], old[key][1], new[key][1])
            for key in both
            if new[key][1].label != "not" and (old[key][1].text, old[key][1].label) != (new[key][1].text, new[key][1].label)
        ),
    )


def _parts(kind: SectionKind, item: PackageItem) -> tuple[SectionKind, str, frozenset[str]]:
    """What a line says; of one that lists files in any order."""
    return kind, item.label, frozenset(item.text.split(", ") if item.label in LISTS else (item.text,))


def _gone(kind: SectionKind, item: PackageItem, fate: Fate | None) -> Gone:
    why = "overtaken" if fate is None else "left out" if fate.state == "current" else fate.state
    return Gone(kind, item, why, fate.by if fate else "")


def _by_key(sections: Sequence[PackageSection]) -> dict[str, tuple[SectionKind, PackageItem]]:
    return {item.key: (section.kind, item) for section in sections if section.kind not in PASSING for item in section.items}


def _by_value(candidate: Candidate) -> tuple[float, int, str]:
    return -value(candidate), -candidate.item.seq, candidate.item.key
