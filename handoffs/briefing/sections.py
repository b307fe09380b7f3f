"""Dividing a directive's lines into sections, where headings open them and where there are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from continuity.knowledge.directive_parser.grammar import CLOSING, NOTE_EXPLAINED, OPENING, SectionKind
from continuity.knowledge.directive_parser.lines import BLOCK_MARK, BULLET, Entry, sourced
from continuity.knowledge.directive_parser.vocabulary import LABELS
from handoffs.contract.model import Style
from handoffs.directive.styles import ORDER

EXAMPLES = ("a12", "n12", NOTE_EXPLAINED)  # a directive's first line explains its signs by them


@dataclass(slots=True)
class NumberedLine:
    """A line with its number in the text (from 1), what the grammar reads in it, and the lines of words below it."""

    number: int
    text: str
    entries: Sequence[Entry]
    block: list[str] = field(default_factory=list)


@dataclass(slots=True)
class OpenSection:
    """A section in the making; `kind` is empty as long as no line of it tells."""

    kind: str
    heading: str
    lines: list[NumberedLine] = field(default_factory=list)


def divided(
    raw: Sequence[str], headings: Mapping[str, SectionKind], style: Style, entries: Mapping[int, Sequence[Entry]]
) -> tuple[str, list[OpenSection]]:
    """The explanation that stands before the sections, and these. `entries` are the grammar's by line number."""
    opening, sections = "", list[OpenSection]()
    current: OpenSection | None = None
    bare = not any(line.strip() in headings for line in raw)
    for number, line in enumerate(raw, start=1):
        words = line.strip()
        if words in (OPENING, CLOSING):
            current = None
        elif not words:
            current = current if style is not Style.NARRATIVE else None
        elif words in headings:
            current = OpenSection(headings[words].value, words.removeprefix("## ").rstrip(":."))
            sections.append(current)
        elif not opening and not sections and not BULLET.match(words) and any(each in words for each in EXAMPLES) and number not in entries:
            opening = words
        elif words.startswith(BLOCK_MARK) and current is not None and current.lines:
            current.lines[-1].block.append(line.lstrip().removeprefix(BLOCK_MARK).removeprefix(" "))
        else:
            found = _entries(number, raw, entries)
            current = _current(sections, current, _kind(words, found, sections, current), splits=bare and not opening)
            current.lines.append(NumberedLine(number, line, found))
    return opening, sections


def _entries(number: int, raw: Sequence[str], entries: Mapping[int, Sequence[Entry]]) -> Sequence[Entry]:
    """The entries that the grammar reads in a line; the words of a block are an entry at its first line."""
    opens = number < len(raw) and raw[number].lstrip().startswith(BLOCK_MARK)
    return entries.get(number) or (entries.get(number + 1, ()) if opens else ())


def _current(sections: list[OpenSection], current: OpenSection | None, kind: str, *, splits: bool) -> OpenSection:
    """The section of the next line, which is of `kind` where no heading tells. With `splits` a line of another kind opens a section, as
    in a directive that has room for no frame; else only a blank line does, whatever the lines say."""
    if current is None or (splits and current.kind and kind != current.kind):
        current = OpenSection("", "")
        sections.append(current)
    current.kind = current.kind or kind
    return current


def _kind(words: str, found: Sequence[Entry], sections: Sequence[OpenSection], current: OpenSection | None) -> str:
    """The section that a line without a heading is of, by its label. The labels of some sections are those of others too: it stays in the
    section of the line before, else it is in the next one that has such lines. A statement of a note begins with words that are not ours
    and tells nothing, nor does what the grammar does not know."""
    here = current.kind if current else ""
    _, sources = sourced(words)
    if not found or (sources and sources[0].id.startswith("n")):
        return here
    before = here or (sections[-1].kind if sections else "")
    first = ORDER.index(SectionKind(before)) + (0 if here else 1) if before else 0
    entry = found[0]
    return next((kind for kind in ORDER[first:] if entry.label and entry.label in LABELS[kind]), entry.kind).value
