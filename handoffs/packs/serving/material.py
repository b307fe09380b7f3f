"""The material that a client found in a repository, in the form in which it is kept and rendered. Masked before it is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from continuity.packs.anchor import AnchorFacts, anchor_text
from continuity.packs.budgets import PackBudget
from continuity.packs.context import RankedFile, context_text
from continuity.packs.delta import CountedChange, delta
from continuity.packs.lessons import Failing, Lesson, WrittenRule
from continuity.repository.changes import Changes, FileChange
from continuity.repository.state import RepositoryFile, RepositoryState
from handoffs.packs.written_rules import written_rules

Mask = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class PackMaterial:
    """`ranked` best first; `facts` for the map; `rules` of instruction files; `changes` with lines, or `counted` without; `present` are
    paths, of those that sessions named, which are there."""

    ranked: tuple[RankedFile, ...] = ()
    facts: AnchorFacts = field(default_factory=AnchorFacts)
    rules: tuple[WrittenRule, ...] = ()
    changes: Changes = field(default_factory=Changes)
    counted: tuple[CountedChange, ...] = ()
    present: tuple[str, ...] = ()

    @property
    def known(self) -> frozenset[str]:
        """Every path that it knows to be there."""
        return frozenset((*self.present, *self.facts.paths, *(file.path for file in self.ranked)))

    @property
    def changed(self) -> tuple[str, ...]:
        return (*(change.path for change in self.changes.files), *(change.path for change in self.counted))


@dataclass(frozen=True, slots=True)
class Taught:
    """The sessions' part of packs: lessons with the accepted ones first, what fails now, and lines on tasks."""

    lessons: tuple[Lesson, ...] = ()
    failing: tuple[Failing, ...] = ()
    work: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RenderedPacks:
    """`paths` are the files that the texts name by themselves; `all_in_delta` says that the delta names every changed file."""

    anchor: str
    context: str
    delta: str
    paths: tuple[str, ...]
    all_in_delta: bool


def rules_of(texts: Mapping[str, str]) -> tuple[WrittenRule, ...]:
    """Rules of instruction files by path."""
    return written_rules(RepositoryState({path: RepositoryFile(path) for path in sorted(texts)}), texts.get)


def render(material: PackMaterial, taught: Taught, budget: PackBudget, mask: Mask) -> RenderedPacks:
    """The three texts, masked and within the budget: what the anchor and the delta leave is the context's."""
    lessons = existing_lessons(taught.lessons, material.known)
    first = render_anchor(material, lessons, budget.anchor, mask)
    last = within(mask(delta(material.changes, taught.failing, budget.delta, work=taught.work, only=material.counted)), budget.delta)
    room = max(0, min(budget.context, budget.whole - len(first.encode()) - len(last.encode())))
    middle = within(mask(context_text(material.ranked, lessons, room)), room)
    named = [file.path for number, file in enumerate(material.ranked, 1) if f"\n{number}. {file.path}" in middle]
    paths = dict.fromkeys((*(path for path in material.facts.paths if path in first or not first), *named, *material.changed))
    return RenderedPacks(first, middle, last, tuple(paths), all(f"\n{path} (" in f"\n{last}" for path in material.changed))


def render_anchor(material: PackMaterial, lessons: Sequence[Lesson], budget: int, mask: Mask) -> str:
    return within(mask(anchor_text(material.facts, rules=material.rules, lessons=lessons, budget=budget)), budget)


def existing_lessons(lessons: Sequence[Lesson], known: frozenset[str]) -> list[Lesson]:
    """Lessons with those of their files that are there; without those about files of which none is there any more."""
    kept = []
    for lesson in lessons:
        files = tuple(path for path in lesson.files if path in known)
        if files or not lesson.files:
            kept.append(Lesson(lesson.text, lesson.landmine, lesson.session, lesson.seq, files))
    return kept


def within(text: str, budget: int) -> str:
    """Whole lines: a mask may be longer than what it hides."""
    while len(text.encode()) > budget:
        text = text[: text.rstrip("\n").rfind("\n") + 1]
    return text


def masked(material: PackMaterial, mask: Mask) -> PackMaterial:
    """Changed files are searched for secrets as wholes: lines from the middle of a key are not known as one."""
    files = tuple(
        FileChange(file.path, None if file.before is None else mask(file.before), mask(file.after)) for file in material.changes.files
    )
    return PackMaterial(
        tuple(RankedFile(file.path, file.reasons, tuple((line, mask(words)) for line, words in file.symbols)) for file in material.ranked),
        AnchorFacts(tuple(map(mask, material.facts.places)), tuple(map(mask, material.facts.papers)), material.facts.paths),
        tuple(WrittenRule(mask(rule.text), rule.path, rule.line) for rule in material.rules),
        Changes(files, material.changes.gone, tuple(map(mask, material.changes.subjects))),
        material.counted,
        material.present,
    )


def to_json(material: PackMaterial) -> dict[str, Any]:
    return asdict(material)


def from_json(stored: Mapping[str, Any]) -> PackMaterial:
    """The inverse of `to_json`."""
    facts, changes = stored["facts"], stored["changes"]
    return PackMaterial(
        tuple(
            RankedFile(file["path"], tuple(file["reasons"]), tuple((line, words) for line, words in file["symbols"]))
            for file in stored["ranked"]
        ),
        AnchorFacts(tuple(facts["places"]), tuple(facts["papers"]), tuple(facts["paths"])),
        tuple(WrittenRule(**rule) for rule in stored["rules"]),
        Changes(tuple(FileChange(**file) for file in changes["files"]), changes["gone"], tuple(changes["subjects"])),
        tuple(CountedChange(**each) for each in stored["counted"]),
        tuple(stored["present"]),
    )
