"""A report parted into its points: titles, points of lists, rows of tables and paragraphs, each in its sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from continuity.knowledge.directive_parser.grammar import CLIP
from continuity.knowledge.requests.gist import is_filler, stands_for, without_exclamation
from continuity.knowledge.requests.outline import LED_IN, LEFT_OUT, is_item, is_title, leads_in, plain_title, readable, title_rank
from continuity.knowledge.requests.whole_sentences import asks, sentences_of

POINTS = 3  # from which words are told by them
WORDS = 4  # of a title that says something by itself
TITLES = 70  # characters of a heading with the one above it
ROW = "| "  # before the words of a row of a table

NUMBER = re.compile(r"\d{1,3}[.)]\s+")
_MARK = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX✓]\]\s+)?")
_CODE = re.compile(r"  `[^`]*`")  # a line of code as `readable` leaves it
_LABEL = re.compile(r"\*\*[^*]{1,60}\*\*:?\s")
_RULE = re.compile(r"\s*[-*_=━─]{3,}\s*")


@dataclass(slots=True)
class ReportPoint:
    """A title (its `rank` is not 0), a point of a list or a row of a table (behind its `mark`), or a paragraph: its sentences, and the
    lines below it. `of_code` says of a title that code stands below it."""

    mark: str
    said: list[str]
    below: list[str] = field(default_factory=list)
    rank: int = 0
    of_code: bool = False

    @property
    def is_labelled(self) -> bool:
        """Whether it is a paragraph that begins with what it is about, in bold."""
        return not (self.mark or self.rank) and _LABEL.match(self.said[0]) is not None


def are_points(found: Sequence[ReportPoint]) -> bool:
    """Whether there are enough points for a report to be told by them."""
    return sum(1 for point in found if point.mark or point.rank or point.is_labelled) >= POINTS


def draws(text: str) -> bool:
    """Whether a drawing or a form of words stands in a text, which its points leave out."""
    return any("\n" in line for line in readable(text.split("\n")))


def points_of(text: str, *, asking: bool = True) -> list[ReportPoint]:
    """The titles, points and paragraphs of a text, without code and what only fills; without the questions in its paragraphs where it is
    not `asking`."""
    found: list[ReportPoint] = []
    parted = True
    for line in readable(text.split("\n"), row_mark=ROW):
        words = without_exclamation(line.strip()) if line.strip() else ""
        if not words or words == CLIP or "\n" in line or _RULE.fullmatch(words):
            parted = True
            if line == LEFT_OUT and found:
                found[-1].of_code = found[-1].rank > 0
            continue
        below = found[-1].below if found and not found[-1].rank else None
        inside = line.startswith((" ", "\t")) and below is not None and not (parted and not found[-1].mark)
        if line.startswith(ROW):
            found.append(ReportPoint("- ", [words.removeprefix(ROW)]))
        elif below is not None and (_CODE.fullmatch(line) or (inside and (found[-1].mark or not is_item(words)))):
            below.append(words)
        elif is_title(words):
            _add_title(found, words)
        elif not is_item(words) and leads_in(words):
            *before, last = sentences_of(words) or [words]
            _add_paragraph(found, before, asking=asking)
            _add_title(found, last)
        elif mark := _MARK.match(words):
            number = NUMBER.match(words)
            found.append(ReportPoint(number[0] if number else "- ", _joined(sentences_of(words[mark.end() :])) or [words]))
        else:
            _add_paragraph(found, sentences_of(words) or [words], asking=asking)
        parted = False
    while found and found[-1].rank and not _stays(found):
        found.pop()  # it leads in to nothing
    return found


def _stays(found: list[ReportPoint]) -> bool:
    """Whether the last title stays as a point: the code below it is left out, and what it says of that stands by itself."""
    title = found[-1]
    if not title.of_code or title.rank >= LED_IN or len(title.said[0].split()) < WORDS or leads_in(title.said[0]):
        return False
    found[-1] = ReportPoint("" if NUMBER.match(title.said[0]) else "- ", title.said)
    return True


def _add_paragraph(found: list[ReportPoint], said: Sequence[str], *, asking: bool) -> None:
    """A paragraph behind the points so far, without what only fills."""
    telling = [sentence for sentence in said if not is_filler(sentence) and (asking or not asks(sentence))]
    if telling:
        found.append(ReportPoint("", _joined(telling)))


def _add_title(found: list[ReportPoint], words: str) -> None:
    """A title behind the points so far; one before it below which nothing stands is left out, unless this one is a part of it."""
    rank, title = title_rank(words), plain_title(words)
    while found and found[-1].rank >= rank and not _stays(found):
        found.pop()
    above = found[-1] if found and found[-1].rank else None
    numbered = NUMBER.match(title) is not None  # one of several
    if (
        above is not None
        and not numbered
        and above.rank < LED_IN
        and len(above.said[0]) + len(title) <= TITLES
        and not leads_in(above.said[0])
    ):
        title = f"{found.pop().said[0]}: {title}"
    found.append(ReportPoint("", [title], rank=rank))


def _joined(said: Sequence[str]) -> list[str]:
    """The sentences behind the first, each that begins with what stands for something together with the one before it."""
    found = list(said[:1])
    for place, sentence in enumerate(said[1:], start=1):
        if place > 1 and stands_for(sentence) and not asks(sentence) and not asks(found[-1]):
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
    return found
