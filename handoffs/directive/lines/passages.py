"""Earlier segments as lines: what a directive does not state yet, in forms of growing length."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from continuity.knowledge.language.sentences import split
from continuity.knowledge.model import Knowledge, Passage
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.quoting import as_data
from handoffs.directive.lines.wording import clip, normalise, one_line
from handoffs.directive.references import References

IMPORTANCE = 0.5
# How a segment's text marks what was replaced later, which does not belong here, and what a tool printed and what was written to a file,
# which is told in the longest form alone.
LEFT_OUT = ("Output: ", "Written: ")
REPLACED = "(replaced later)"
ENDS = tuple(".!?:;…”")
SPOKEN = ("User: ", "Agent: ")
# Characters of what a tool printed or a call wrote, where there is room for it at all.
EXCERPT = 400
# Where a level's text put pieces together that were apart.
_BREAKS = re.compile(r" … |; |(?<=:) (?=[A-Z*`])")
# Fewer characters than this tell nothing by themselves.
SHORTEST = 12


class PassageText:
    """What has been told already, and what holds no longer: no line of a segment repeats either."""

    def __init__(self, text: str, knowledge: Knowledge) -> None:
        self._text = normalise(text)
        self._replaced = [words for anchor in knowledge.superseded if (words := normalise(anchor.text))]

    def is_new(self, words: str) -> bool:
        said = normalise(words)
        if len(said) < SHORTEST or said in self._text:
            return False
        return not any(old in said or said in old for old in self._replaced)

    def add(self, text: str) -> None:
        self._text += f"\n{normalise(text)}"


def forms_of(passage: Passage, told: PassageText) -> tuple[Candidate, ...]:
    """The passage as one line each, the shortest first, where it has something to tell that was not told; not priced."""
    found: list[Candidate] = []
    fullest = passage.texts[-1] if passage.texts else ""
    shown = (fullest,) if any(mark in fullest for mark in LEFT_OUT) else ()
    known: dict[str, str] = {}
    for number, text in enumerate((*passage.texts, *shown)):
        line = " ".join(_new_lines(text, passage.topic, told, known, whole=number == len(passage.texts)))
        if line and (not found or len(line) > len(found[-1].item.text)):
            found.append(_candidate(passage, line))
    return tuple(found)


def _candidate(passage: Passage, text: str) -> Candidate:
    reference = References.message(passage.first_seq)
    item = PackageItem(reference, f"earlier@{passage.first_seq}", text, passage.first_seq, 0, IMPORTANCE, label="earlier")
    return Candidate(SectionKind.EARLIER, item)


def _new_lines(text: str, topic: str, told: PassageText, known: dict[str, str], *, whole: bool) -> Iterator[str]:
    """The topic, then each line with those of its sentences that are new; nothing where only the topic would be left.

    `known` keeps what was found of a line: a longer text of a segment repeats most lines of a shorter one.
    """
    lines = []
    for line in text.split("\n"):
        if line.startswith(LEFT_OUT):
            lines += [_shown(line, told)] if whole else []
            continue
        if line not in known:
            known[line] = _new(line, topic, told)
        lines.append(known[line])
    lines = [line for line in lines if line]
    if lines:
        yield one_line(topic) + (":" if topic[-1:].isalnum() else "")
        yield from lines


def _shown(line: str, told: PassageText) -> str:
    """The beginning of what a tool printed or a call wrote, where that is new."""
    return as_deed(clip(one_line(line), EXCERPT)) if told.is_new(line.partition(": ")[2]) else ""


def _new(line: str, topic: str, told: PassageText) -> str:
    """What is new of a line that tells what was said or done."""
    speaker = next((name for name in SPOKEN if line.startswith(name)), "")
    if not speaker:
        line = line.removeprefix(f"{topic} — ")
        return as_deed(line) if line != topic and told.is_new(line) else ""
    title = normalise(topic.rstrip("…"))
    new = [words for words in _sentences(line.removeprefix(speaker)) if told.is_new(words) and REPLACED not in words]
    new = without_lead_ins([words for words in new if not normalise(words).startswith(title)])
    return f"{speaker}“{joined(new)}”" if new else ""


def joined(pieces: Sequence[str]) -> str:
    """Sentences follow one another, items are set apart."""
    return "".join(piece + (" " if piece.endswith(ENDS) else "; ") for piece in pieces[:-1]) + pieces[-1]


def without_lead_ins(pieces: Sequence[str]) -> list[str]:
    """The pieces but for those that lead on to nothing."""
    kept: list[str] = []
    for piece in reversed(pieces):
        if not piece.endswith(":") or (kept and not kept[-1].endswith(":")):
            kept.append(piece)
    return kept[::-1]


def _sentences(line: str) -> Sequence[str]:
    """The sentences, items and lead-ins of a line."""
    pieces = (piece for stretch in _BREAKS.split(line) for piece in split(stretch))
    return [one_line(piece.text) for piece in pieces]


def as_deed(line: str) -> str:
    """A line about what was done; where a tool's words in it read like an instruction, it says that they are none."""
    line = one_line(line)
    marked = as_data(line)
    return line if marked == f"“{line}”" else marked
