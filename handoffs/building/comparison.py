"""Compares a package with all knowledge, and with the package before it. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from continuity.knowledge.model import FileAction, Knowledge
from handoffs.budgeting.budget import value
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.duplicates import distinct
from handoffs.budgeting.limits import limits_for
from handoffs.building.assembly import candidates_of
from handoffs.building.line_equality import Folders, statement, subject
from handoffs.contract.model import Package, PackageItem, PackageSection, SectionKind
from handoffs.directive.directive import render
from handoffs.directive.line_overrides import Steering
from handoffs.directive.lines.wording import Stated, normalise

NOT = "not"  # the label of what is kept only to say that it no longer holds
# What was said last and hints at what is left out differ in every package, and tell nothing about it.
PASSING = frozenset((SectionKind.GOAL, SectionKind.RECENT, SectionKind.LAST, SectionKind.LOOKUP))
# Words of the shorter of two lines, and the share of them that the longer one has, where both are versions of one line.
SAME_WORDS, SAME_SHARE = 5, 0.9

_Line = tuple[SectionKind, PackageItem]


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
class RemovedItem:
    """An item that is not there any more; `why` is superseded, resolved, dismissed, done, left out (it still holds, others took its room),
    or overtaken (a state, a file or an exchange, of which newer ones are told)."""

    kind: SectionKind
    item: PackageItem
    why: str
    superseded_by: str = ""


@dataclass(frozen=True, slots=True)
class PackageDifference:
    """The lines that are new, gone (superseded ones among them) and changed since the previous package of a chain."""

    new: tuple[tuple[SectionKind, PackageItem], ...]
    gone: tuple[RemovedItem, ...]
    changed: tuple[Changed, ...]


@dataclass(frozen=True, slots=True)
class Fate:
    """The present state of something known, and the key of what superseded it."""

    state: str
    by: str = ""


SUPERSEDED = Fate("superseded")


def omitted(knowledge: Knowledge, package: Package, steering: Steering) -> list[ComparedLine]:
    """The knowledge that is not in the package, the most valuable first; also what a person dismissed from it."""
    limits = limits_for(package.options.budget)
    everything = candidates_of(knowledge, package.options, limits, Steering(references=steering.references))
    return omitted_lines(distinct(everything).candidates, package)


def omitted_lines(known: Iterable[Candidate], package: Package) -> list[ComparedLine]:
    """Which of the distinct lines `known` are not in the package, the most valuable first. One whose words stand in a line of something
    else is."""
    told = Stated(render(package))
    shown = {item.key for section in package.sections for item in section.items}
    rest = [candidate for candidate in known if candidate.item.key not in shown and not told.states(candidate.item.text)]
    return [ComparedLine(candidate.kind, candidate.item, round(value(candidate), 4)) for candidate in sorted(rest, key=_by_value)]


def difference(
    before: Sequence[PackageSection],
    after: Sequence[PackageSection],
    fates: Mapping[str, Fate],
    folders: Iterable[str] = (),
) -> PackageDifference:
    """The difference between two packages of a chain, item by item; `fates` tell what became of those that are gone, by key.

    What stands in both, under whatever key, is neither new nor gone; nor is a path changed by which of `folders`, where the sessions of the
    chain worked, stands in front of it.
    """
    at = Folders(folders)
    old, new = _by_key(before), _by_key(after)
    was = {subject(*each, at): each for each in reversed(old.values())}
    holds = {subject(*each, at) for each in new.values() if each[1].label != NOT}
    come: dict[Hashable, _Line] = {}
    changed = []
    for key, line in new.items():
        about = subject(*line, at)
        earlier = old.get(key) or was.get(about)
        if line[1].label == NOT:
            continue
        if earlier is None:
            come.setdefault(about, line)
        elif _differs(earlier, line, at, key in old):
            changed.append(Changed(line[0], earlier[1], line[1]))
    gone = {
        subject(*line, at): _gone(*line, fates.get(key))
        for key, line in old.items()
        # What is kept only to say that it no longer holds has gone as well.
        if (key not in new or new[key][1].label == NOT != line[1].label) and subject(*line, at) not in holds
    }
    # Something may be known only since, and only as what holds no longer.
    gone |= {
        subject(*line, at): _gone(*line, fates.get(key, SUPERSEDED))
        for key, line in new.items()
        if line[1].label == NOT and key not in old and was.get(subject(*line, at)) is None
    }
    for about, lost in list(gone.items()):
        went_on = next((key for key, line in come.items() if _goes_on(lost, line)), None)
        if went_on is not None:
            kind, item = come.pop(went_on)
            changed.append(Changed(kind, gone.pop(about).item, item))
    return PackageDifference(new=tuple(come.values()), gone=tuple(gone.values()), changed=tuple(changed))


def _goes_on(gone: RemovedItem, line: _Line) -> bool:
    """Whether a line under another key says what a lost one said, and more or less: of finished work, that it was committed since."""
    kind, item = line
    if kind is not gone.kind or gone.why not in ("overtaken", "left out"):
        return False
    less, more = sorted((frozenset(normalise(each.text).split()) for each in (gone.item, item)), key=len)
    return len(less) >= SAME_WORDS and len(less & more) >= SAME_SHARE * len(less)


def _differs(earlier: _Line, line: _Line, at: Folders, same_key: bool) -> bool:
    """Whether a line of both packages says something else now: in other words, or of another state."""
    (kind, before), (_, after) = earlier, line
    if before.label != after.label and (same_key or (before.label and after.label) or NOT in (before.label, after.label)):
        return not (kind is SectionKind.FILES and after.label == FileAction.READ)  # that it was changed stays true
    return statement(*earlier, at) != statement(*line, at)


def _gone(kind: SectionKind, item: PackageItem, fate: Fate | None) -> RemovedItem:
    why = "overtaken" if fate is None else "left out" if fate.state == "current" else fate.state
    return RemovedItem(kind, item, why, fate.by if fate else "")


def _by_key(sections: Sequence[PackageSection]) -> dict[str, tuple[SectionKind, PackageItem]]:
    return {item.key: (section.kind, item) for section in sections if section.kind not in PASSING for item in section.items}


def _by_value(candidate: Candidate) -> tuple[float, int, str]:
    return -value(candidate), -candidate.item.seq, candidate.item.key
