"""How a style words a directive, and the lines that come of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from continuity.distill.directive.grammar import marks
from continuity.distill.directive.vocabulary import BARE_LABELS
from handoffs.packages.model import Item, Scaffold, Section, SectionKind
from handoffs.packages.wording import CLOSING, OPENING

# Stable parts first and volatile ones last, so that a prompt cache keeps its beginning and the last words are the next step.
ORDER = (
    SectionKind.GOAL,
    SectionKind.RULES,
    SectionKind.DECISIONS,
    SectionKind.FACTS,
    SectionKind.ERRORS,
    SectionKind.QUESTIONS,
    SectionKind.FILES,
    SectionKind.TASKS,
    SectionKind.LOOKUP,
    SectionKind.RECENT,
    SectionKind.STATE,
    SectionKind.VERIFICATION,
    SectionKind.NEXT,
)
# Labels whose lines say where the source is only when there is room for it.
UNREFERENCED = frozenset(("waiting", "cwd", "branch", "running", "note", "left out", "identifiers"))
_ENDS = tuple(".!?:;…”`)")


@dataclass(frozen=True, slots=True)
class Manner:
    """A style in words. `headings` introduce sections; `phrases` introduce items by label, with `{}` for their text;
    `bullet` begins and `end` ends a line; `reference` holds a reference. `sentences` closes each line as a sentence.
    """

    opening: str
    headings: Mapping[SectionKind, str]
    phrases: Mapping[str, str]
    bullet: str = "- "
    end: str = "\n"
    reference: str = " [{}]"
    section_end: str = "\n"
    sentences: bool = False

    def frame(self, scaffold: Scaffold) -> tuple[str, str]:
        """What stands before the first section and after the last."""
        opening = f"{self.opening}\n{self.section_end}" if scaffold is Scaffold.FULL and self.opening else ""
        return f"{OPENING}\n{opening}", CLOSING

    def heading(self, kind: SectionKind, scaffold: Scaffold) -> str:
        if scaffold is Scaffold.BARE:
            return ""
        heading = self.headings.get(kind, "")
        return f"{heading if scaffold is Scaffold.FULL else heading.removeprefix('## ')}{self.end}" if heading else ""

    def line(self, kind: SectionKind, item: Item, scaffold: Scaffold) -> str:
        """One item with label and source."""
        words = self.phrases.get(item.label, "{}")
        bare = scaffold is Scaffold.BARE
        label = BARE_LABELS.get(kind, "") if bare and words == "{}" else ""
        text = label + words.format(item.text)
        source = "" if bare else self._source(item, scaffold)
        stop = "." if self.sentences and not text.endswith(_ENDS) else ""
        return f"{'' if bare else self.bullet}{text}{source}{stop}{self.end}"

    def path(self, item: Item, scaffold: Scaffold) -> str:
        return f"{item.text} ({item.reference})" if scaffold is Scaffold.FULL else item.text

    def section(self, section: Section, scaffold: Scaffold) -> str:
        """A section in words, with its heading and end; paths stand in one line per action."""
        if section.kind is SectionKind.FILES:
            lines = [self._paths(label, tuple(items), scaffold) for label, items in groupby(section.items, key=lambda item: item.label)]
        else:
            lines = [self.line(section.kind, item, scaffold) for item in section.items]
        body = (self.heading(section.kind, scaffold) + "".join(lines)).rstrip()
        return f"{body}\n{'' if scaffold is Scaffold.BARE else self.section_end}"

    def _paths(self, label: str, items: tuple[Item, ...], scaffold: Scaffold) -> str:
        paths = ", ".join(self.path(item, scaffold) for item in items)
        return f"{'' if scaffold is Scaffold.BARE else self.bullet}{label.capitalize()}: {paths}{'.' if self.sentences else ''}{self.end}"

    def _source(self, item: Item, scaffold: Scaffold) -> str:
        """Where the line comes from, and which other items its words are."""
        own = "" if item.label in UNREFERENCED or (scaffold is Scaffold.LEAN and item.reference.startswith("m")) else item.reference
        binding = item.critical and item.reference.startswith("a")
        names = ((own + marks(critical=binding, claimed=item.claimed),) if own else ()) + item.held
        return self.reference.format(", ".join(names)) if names else ""
