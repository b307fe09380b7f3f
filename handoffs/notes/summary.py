"""A summary that a tool wrote at a compaction, as a note: what it says under each heading, up to its place."""

from __future__ import annotations

from collections import defaultdict

from continuity.core.note_parts import LONGEST, MOST
from continuity.knowledge.extractors.prior_summary import sections
from continuity.knowledge.handoff_note import CheckedNote
from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.clip import clip
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.sentences import split
from continuity.knowledge.model import Knowledge, Request, RequestKind
from handoffs.notes import form
from handoffs.notes.check import check
from handoffs.notes.note import HandoffNote

# The part of what stands under a heading, by its kind.
PARTS_OF = {
    "intent": "request",
    "current": "now",
    "next": "next",
    "pending": "remaining",
    "rules": "rules",
    "decisions": "decisions",
    "errors": "broken_approaches",
    "person": "history",
    "files": "files",
    "": "lessons",
}
FEWEST = 2  # content words of a statement
READ = 20_000  # characters of a summary


def note_of(knowledge: Knowledge) -> CheckedNote | None:
    """The tool's latest summary as a checked note; None where it wrote none."""
    row = latest(knowledge)
    note = read(row.text.text) if row is not None else None
    return check(note, knowledge, through_seq=row.seq) if note is not None and row is not None else None


def latest(knowledge: Knowledge) -> Request | None:
    """The row of the tool's latest summary of what came before in this conversation; that of a predecessor is none."""
    return next((row for row in reversed(knowledge.requests) if row.kind is RequestKind.SUMMARY and row.seq > 0), None)


def read(text: str) -> HandoffNote | None:
    """Read a summary, statement by statement; without headings all of it is history. None where it says nothing."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    stretches = list(sections(text[:READ]))
    has_headings = any(name for name, _, _ in stretches)
    for name, start, end in stretches:
        said = found[PARTS_OF[name] if has_headings else "history"]
        for sentence in split(text[start:end]):
            if sentence.kind is BlockKind.HEADING or len(content(sentence.text, FEWEST)) < FEWEST:
                continue
            if len(said) < MOST:
                said[_statement(sentence.text)] = None
    parts = {name: tuple(filter(None, said)) for name, said in found.items()}
    return HandoffNote(**parts) if any(parts.values()) else None


def _statement(text: str) -> str:
    try:
        return form.statement(clip(text, LONGEST - 20).strip("\"'“”"), "summary")
    except ValueError:
        return ""
