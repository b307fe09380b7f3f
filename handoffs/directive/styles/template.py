"""Templates of the styles: how a style words a directive, and the lines that come of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from continuity.knowledge.anchor_types import TRAITS
from continuity.knowledge.directive_parser.grammar import (
    ABOUT_FILE,
    BINDS,
    CLAIM,
    DECIDED,
    HOW_IT_STANDS,
    IN_BLOCK,
    LEFT,
    NOTE_BULLET,
    NOTED,
    WHAT_NEXT,
    marks,
)
from continuity.knowledge.directive_parser.vocabulary import BARE_LABELS, NAMED, SAID_THEN, STRUCTURED
from continuity.knowledge.model import AnchorType
from handoffs.contract.model import PackageItem, PackageSection, Scaffold, SectionKind
from handoffs.directive.lines.coming.next_steps import ACTIONS
from handoffs.directive.lines.note import LABEL as NOTE_LABEL
from handoffs.directive.lines.note import is_action
from handoffs.directive.lines.wording import CLOSING, OPENING
from handoffs.directive.lines.work_place import CHECKED, STATUS
from handoffs.directive.styles.told_together import block_of

# What is so now comes first, then what is left to do, what binds, how it came to this, and last what only helps.
ORDER = (
    SectionKind.NEXT,
    SectionKind.TASKS,
    SectionKind.LAST,
    SectionKind.GOAL,
    SectionKind.VERIFICATION,
    SectionKind.RULES,
    SectionKind.DECISIONS,
    SectionKind.QUESTIONS,
    SectionKind.ERRORS,
    SectionKind.RECENT,
    SectionKind.FILES,
    SectionKind.STATE,
    SectionKind.FACTS,
    SectionKind.EARLIER,
    SectionKind.LOOKUP,
)
# Labels whose lines say where the source is only when there is room for it.
UNREFERENCED = frozenset(
    (
        "waiting",
        "cwd",
        "branch",
        "commit",
        "tree",
        "made outside",
        "running",
        "note",
        "left out",
        "identifiers",
        "outside",
        "uncommitted",
        "never checked",
        "did",
        "begin",
        "asks",
        "to do",
        "to end",
        "nothing open",
        "noted at",
        "delivery",
    )
)
# What came of a request; more that the same message said stands with it.
CAME = frozenset(("agent", "made", "stopped"))
FINISHED = frozenset(("items", "done", "parts done", "step", "delivery"))
# The labels of *Now* that tell how the work stands.
STANDS = frozenset((*STATUS, *CHECKED))
SEVERAL = 4  # lines that tell how things are, from which they have a heading
SIGNS = frozenset((BINDS, CLAIM))
DECISION = f"{TRAITS[AnchorType.DECISION].words} "
POINTS = 3  # of a list within a line, from which each has its own
_POINT = re.compile(r" (?=(\d{1,2})[.)] \S)")
_ENDS = tuple(".!?:;…”`)")


# Signs that the opening explains where they stand somewhere.
TASK, FILE = re.compile(r"[\[ ]t\d+[],! ]"), re.compile(r"\(f\d+\)")
BINDING, CLAIMED, OF_NOTE = re.compile(r"\b[am]\d+!\??[,\])]"), re.compile(r"\b[am]\d+!?\?[,\])]"), re.compile(r"^• ", re.M)
MARKED = re.compile(r"\ba\d+[!?]{1,2}[,\])]")
# Sections whose anchors say beside a note, too, where they are from: a rule, a decision or a promise of the record is known by it.
OF_RECORD = frozenset((SectionKind.RULES, SectionKind.DECISIONS, SectionKind.TASKS))


@dataclass(frozen=True, slots=True)
class StyleTemplate:
    """A style in words. `opening` explains the signs, `explained` are its words for each of those that may be missing; `headings` introduce
    sections; `phrases` introduce items by label, with `{}` for their text; `bullet` begins and `end` ends a line; `reference` holds a
    reference. `sentences` closes each line as a sentence. `beside_note` and its `explained_beside` open a directive that tells a note.

    Such a one is `noted`: most of it has no source that could be named, so of the record's lines only those name theirs that bind, that
    nothing confirmed, or that are rules and decisions. The package has them all.
    """

    opening: str
    headings: Mapping[SectionKind, str]
    phrases: Mapping[str, str]
    bullet: str = "- "
    end: str = "\n"
    reference: str = " [{}]"
    section_end: str = "\n"
    sentences: bool = False
    explained: tuple[tuple[re.Pattern[str], str], ...] = ()
    beside_note: str = ""
    explained_beside: tuple[tuple[re.Pattern[str], str], ...] = ()
    noted: bool = False

    def beside(self, kinds: Iterable[Sequence[PackageItem]]) -> StyleTemplate:
        """The style as it tells sections of these items: as one that is noted where a statement of a note is among them."""
        noted = any(item.label == NOTE_LABEL for items in kinds for item in items)
        if noted is self.noted:
            return self
        return replace(self, noted=noted)

    def frame(self, scaffold: Scaffold, body: str | None = None) -> tuple[str, str]:
        """What stands before the first section and after the last; of signs that `body`, all sections, has not, nothing is explained."""
        told = self.beside_note if self.noted else self.opening
        for sign, words in (self.explained_beside if self.noted else self.explained) if body is not None else ():
            told = told if sign.search(body or "") else told.replace(words, "")
        opening = f"{told}\n{self.section_end}" if scaffold is Scaffold.FULL and told else ""
        return f"{OPENING}\n{opening}", CLOSING

    def heading(self, kind: SectionKind, scaffold: Scaffold) -> str:
        if scaffold is Scaffold.BARE:
            return ""
        heading = self.headings.get(kind, "")
        return f"{heading if scaffold is Scaffold.FULL else heading.removeprefix('## ')}{self.end}" if heading else ""

    def inner_headings(self, kind: SectionKind, scaffold: Scaffold) -> str:
        """What stands in *Now* before how the work stands, and before what comes next, where a style has headings for them."""
        return "".join(f"{self.section_end}{heading}{self.end}" for heading in (HOW_IT_STANDS, WHAT_NEXT) if self._divides(kind, scaffold))

    def _divides(self, kind: SectionKind, scaffold: Scaffold) -> bool:
        return kind is SectionKind.NEXT and scaffold is Scaffold.FULL and self.headings is STRUCTURED.headings

    def _heading_of(self, section: PackageSection, scaffold: Scaffold) -> str:
        """The heading of a section; one that tells of nothing that is done does not speak of it."""
        heading = self.heading(section.kind, scaffold)
        left = section.kind is SectionKind.TASKS and not any(item.label in FINISHED for item in section.items)
        return heading.replace(STRUCTURED.headings[SectionKind.TASKS], LEFT) if left else heading

    def line(self, kind: SectionKind, items: Sequence[PackageItem], scaffold: Scaffold) -> str:
        """One item, or several of one message, with label and sources."""
        words = self.phrases.get(items[0].label, "{}")
        bare = scaffold is Scaffold.BARE
        label = BARE_LABELS.get(kind, "") if bare and words == "{}" else ""
        source = "" if bare else self._source(kind, items, scaffold)
        bullet = "" if bare else NOTE_BULLET if self._has_note_bullet(items[0], scaffold) else self.bullet
        if "\n" in items[0].text or (len(items) > 1 and kind is SectionKind.RECENT):
            block = block_of([item.text for item in items])
            return self._block(label + words.partition("{}")[0], block, source, bullet=bullet)
        if kind is SectionKind.DECISIONS and words == "{}" and bullet == self.bullet and (points := _points(items[0].text)):
            return self._block(DECIDED, "\n".join(points), source, bullet=bullet)
        told = items[0].text.removeprefix(NOTED) if self._says_note(items[0], scaffold) else items[0].text
        text = label + words.format(_without_label(told, words))
        stop = "." if self.sentences and not text.endswith(_ENDS) else ""
        return f"{bullet}{text}{source}{stop}{self.end}"

    def _block(self, introduction: str, text: str, source: str, *, bullet: str) -> str:
        """Words of several lines, each behind a mark, below what introduces them."""
        lines = "".join(f"{IN_BLOCK}{line}".rstrip() + self.end for line in text.split("\n"))
        return f"{bullet}{introduction.rstrip(' “:')}{source}:{self.end}{lines}"

    def path(self, item: PackageItem, scaffold: Scaffold) -> str:
        path, about, told = item.text.partition(ABOUT_FILE)
        named = scaffold is Scaffold.FULL and item.reference and not self.noted
        return f"{path} ({item.reference}){about}{told}" if named else item.text

    def section(self, section: PackageSection, scaffold: Scaffold) -> str:
        """A section in words, with its heading and end; paths stand in one line per action."""
        if section.kind is SectionKind.FILES:
            lines = [self.line(section.kind, (item,), scaffold) for item in section.items if item.label == NOTE_LABEL]
            paths = [item for item in section.items if item.label != NOTE_LABEL]
            lines += [self._paths(items[0].label, items, scaffold) for items in _of_one_line(paths)]
        else:
            divides = self._divides(section.kind, scaffold)
            moves = divides and not self.noted and all(item.label != "waiting" for item in section.items)  # it is the agent's move
            stands = _stands_from(section) if divides else None
            lines, number = [], 0
            for group in _groups(section, scaffold):
                line, numbered = self.line(section.kind, group, scaffold), moves and group[0].label in ACTIONS
                if stands is not None and stands in group:
                    lines.append(f"{self.section_end}{HOW_IT_STANDS}{self.end}")
                if numbered and not number:
                    lines.append(f"{self.section_end}{WHAT_NEXT}{self.end}")
                number += numbered
                lines.append(self._numbered(line, number) if numbered else line)
        body = (self._heading_of(section, scaffold) + "".join(lines)).rstrip()
        return f"{body}\n{'' if scaffold is Scaffold.BARE else self.section_end}"

    def _numbered(self, line: str, number: int) -> str:
        """A line of what comes next with its number; below the heading that says so nothing else does."""
        words = line.removeprefix(self.bullet)
        for label in ("to do", "to end"):
            words = words.removeprefix(self.phrases[label].partition("{}")[0])
        return f"{number}. {words}"

    def _paths(self, label: str, items: tuple[PackageItem, ...], scaffold: Scaffold) -> str:
        paths = ", ".join(self.path(item, scaffold) for item in items)
        stop = "." if self.sentences else ""
        bullet = "" if scaffold is Scaffold.BARE else self.bullet
        return f"{bullet}{NAMED.get(label, label.capitalize())}: {paths}{stop}{self.end}"

    def _source(self, kind: SectionKind, items: Sequence[PackageItem], scaffold: Scaffold) -> str:
        """Where the words come from, and which other items they are."""
        own = [self._own_source(item, scaffold) for item in (items[:1] if items[0].label in CAME else items)]
        names = list(dict.fromkeys(name for names in (*own, *(item.held for item in items)) for name in names))
        if self.noted:
            binding = {item.reference for item in items if item.critical}  # whoever takes over is asked for it
            names = [name for name in names if name in binding or _is_named_beside_note(name, kind)]
        return self.reference.format(", ".join(names)) if names else ""

    def _own_source(self, item: PackageItem, scaffold: Scaffold) -> tuple[str, ...]:
        hidden = scaffold is Scaffold.LEAN and item.reference.startswith("m")
        if not item.reference or item.label in UNREFERENCED or hidden or self._has_note_bullet(item, scaffold):
            return ()
        binding = item.critical and item.reference.startswith("a")
        return (item.reference + marks(critical=binding, claimed=item.claimed),)

    def _has_note_bullet(self, item: PackageItem, scaffold: Scaffold) -> bool:
        """Whether a line's bullet says that it is a statement of the handoff note: it does where the opening tells what the signs mean."""
        return item.label == NOTE_LABEL and scaffold is Scaffold.FULL and bool(self.bullet)

    def _says_note(self, item: PackageItem, scaffold: Scaffold) -> bool:
        """Whether a line's bullet or source says that it is a statement of the handoff note."""
        return self._has_note_bullet(item, scaffold) or (item.label == NOTE_LABEL and scaffold is Scaffold.FULL and bool(item.reference))


def _points(text: str) -> list[str]:
    """The parts of a line that holds a numbered list, its points each by itself; empty where it holds none."""
    points = list(_POINT.finditer(text))
    wanted = [found for number, found in enumerate(points, 1) if found[1] == str(number)]
    if len(wanted) < POINTS or len(wanted) != len(points):
        return []
    starts = [0, *(found.end() for found in wanted), len(text) + 1]
    return [text[begun : end - 1] for begun, end in pairwise(starts)]


def _without_label(told: str, words: str) -> str:
    """The words of an item without the label that its phrase gives it, where the person began with that themselves."""
    label = words.partition("{}")[0]
    return told[len(label) :].lstrip() if label.endswith(": ") and told.casefold().startswith(label.casefold()) else told


def _is_named_beside_note(name: str, kind: SectionKind) -> bool:
    """Whether a reader gains by a source beside a note: what binds is known by it, and a claim; a request says itself what was decided."""
    marked = name[-1] in SIGNS and not name.startswith(DECISION)
    return marked or name.startswith("n") or (kind in OF_RECORD and name.startswith("a"))


def _stands_from(section: PackageSection) -> PackageItem | None:
    """The first item of *Now* that tells how things are: of all that follow the note's next actions, or without a note of the work place,
    if they are several."""
    if section.kind is not SectionKind.NEXT:
        return None
    actions = [place for place, item in enumerate(section.items) if is_action(item)]
    if actions:
        after = section.items[actions[-1] + 1 :]
        return after[0] if len(after) >= SEVERAL else None
    status = [item for item in section.items if item.label in STANDS]
    return status[0] if len(status) > 1 else None


def _of_one_line(files: Sequence[PackageItem]) -> list[tuple[PackageItem, ...]]:
    """The files of each line: one of which something is told has its own, the others share one per action."""
    lines: list[tuple[PackageItem, ...]] = []
    for _, items in groupby(files, key=lambda item: item.label):
        of_action = tuple(items)
        lines += [(item,) for item in of_action if ABOUT_FILE in item.text]
        if plain := tuple(item for item in of_action if ABOUT_FILE not in item.text):
            lines.append(plain)
    return lines


def _groups(section: PackageSection, scaffold: Scaffold) -> Iterator[tuple[PackageItem, ...]]:
    """The lines of a section: what was said then in one message is one block."""
    group: list[PackageItem] = []
    for item in section.items:
        if group and not (scaffold is not Scaffold.BARE and _together(section.kind, group, item)):
            yield tuple(group)
            group = []
        group.append(item)
    if group:
        yield tuple(group)


def _together(kind: SectionKind, group: list[PackageItem], item: PackageItem) -> bool:
    if kind is not SectionKind.RECENT:
        return False
    last = group[-1]
    came = group[0].label in CAME and item.label == "agent said" and item.reference == last.reference
    same = (item.label, item.reference, item.claimed) == (last.label, last.reference, last.claimed)
    return item.label in SAID_THEN and (came or same)
