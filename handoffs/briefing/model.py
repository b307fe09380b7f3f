"""A directive as sections of lines. Plain values; all words are as they stand in the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

EXCERPT = 300  # characters of a line that a rating keeps


@dataclass(frozen=True, slots=True)
class BriefingSource:
    """A reference that a line names. `note` holds what stands beside it: the kind or the status of an item whose words the line holds."""

    reference: str
    binds: bool = False
    claimed: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class TextRun:
    """Consecutive lines of words; `code` ones are told in letters of one width."""

    text: str
    code: bool = False


@dataclass(frozen=True, slots=True)
class BriefingLine:
    """One line: its number in the text (from 1), what introduces its words, the words, and below them those that take several lines.

    `key` is the same for the same words in every style and at every place. Where `paths` are told, each is a file with its source.
    `follows` marks what came of the line before it; `noted` ones are statements of the handoff note.
    """

    number: int
    key: str
    introduction: str
    words: str
    sources: Sequence[BriefingSource] = ()
    block: Sequence[TextRun] = ()
    paths: Sequence[tuple[str, str]] = ()
    follows: bool = False
    noted: bool = False

    @property
    def reference(self) -> str:
        """The first reference of its own; empty where it names none."""
        return next((each.reference for each in self.sources if not each.note), "") or next((name for _, name in self.paths if name), "")

    @property
    def text(self) -> str:
        """All its words."""
        told = [f"{path} ({name})" if name else path for path, name in self.paths]
        return "\n".join(
            filter(None, [" ".join(filter(None, (self.introduction, self.words, ", ".join(told)))), *(run.text for run in self.block)])
        )

    @property
    def excerpt(self) -> str:
        text = " ".join(self.text[: EXCERPT * 4].split())
        return text if len(text) <= EXCERPT else f"{text[: EXCERPT - 1]}…"


@dataclass(frozen=True, slots=True)
class BriefingSection:
    """Lines below one heading, which is empty where the style tells none; `kind` is empty for what no section holds."""

    kind: str
    heading: str
    lines: Sequence[BriefingLine]


@dataclass(frozen=True, slots=True)
class Briefing:
    """`opening` is the explanation that stands before the sections."""

    opening: str
    sections: Sequence[BriefingSection] = field(default_factory=tuple)

    @property
    def lines(self) -> list[BriefingLine]:
        return [line for section in self.sections for line in section.lines]
