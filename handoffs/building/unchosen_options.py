"""Which lines of an earlier answer are options that were not chosen: by number or letter, where the person's reply or a later decision
names another one of them, and by the name of the chosen one where the list has no numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from continuity.knowledge.language.acceptance import acceptance
from continuity.knowledge.language.options import offered, options_of
from continuity.knowledge.language.sentences import split
from continuity.knowledge.methods import ACCEPTED
from continuity.knowledge.model import Anchor, AnchorState, Knowledge, Request
from handoffs.directive.lines.wording import normalise

NAME = 12  # characters of an option's words, fewer of which name nothing
AFTER = 500  # characters of an answer behind the options that it puts to the person
LETTERS = "abcdefghijkl"
BEGINS = 48  # characters by which an option's line is known again

_OPTION = re.compile(r"\W{0,6}option\s+#?(\d{1,2}|[a-h])\b\W*(.*)", re.I)
_NAMED = re.compile(r"\boption\s+#?(\d{1,2}|[a-h])\b", re.I)
_ITEM = re.compile(r"\s*(?:[-*+•|]|\d{1,2}[.)])\s+\S")
_SIGNS = re.compile(r"\W*(?:(?:(?:option\s+)?#?\d{1,2}|[a-h])\s?[.):–—]\W*)?", re.I)


@dataclass(frozen=True, slots=True)
class _Choice:
    """An option chosen with message `seq`: its sign, and its name where an answer tells it."""

    seq: int
    sign: str
    name: str


class UnchosenOptions:
    """The options that were put to the person and left."""

    def __init__(self, knowledge: Knowledge) -> None:
        rows = knowledge.requests
        self._choices = [each for anchor in knowledge.anchors for each in _choices(anchor, rows)]
        self._left = dict(_left_by_reply(rows))

    def among(self, lines: Sequence[str], seq: int) -> set[int]:
        """The places of the lines that are options not chosen, in the words of an answer that message `seq` gave."""
        left = self._left.get(seq, ())
        found = {place for place, line in enumerate(lines) if left and _is_one_of(_begins(line), left)}
        choice = next((each for each in reversed(self._choices) if each.seq > seq), None)
        if choice is None:
            return found
        for place, line in enumerate(lines):
            option = _OPTION.match(line)
            if option and option[1].lower() != choice.sign:
                found.add(place)
            elif choice.name and not option and _ITEM.match(line) and _begins(line).startswith(choice.name):
                found |= _siblings(lines, place)
        return found


def _choices(anchor: Anchor, rows: Sequence[Request]) -> Iterator[_Choice]:
    """What a proposal that the person agreed to chose of the options of an earlier answer, unless another one was named since."""
    signs = {found[1].lower() for found in _NAMED.finditer(anchor.text)}
    if anchor.method != ACCEPTED or anchor.state is not AnchorState.CURRENT or len(signs) != 1:
        return
    sign = signs.pop()
    later = (found[1].lower() for row in rows if row.seq > anchor.ref.seq for found in _NAMED.finditer(row.text.text))
    if any(other != sign for other in later):
        return
    options: dict[str, str] = {}
    for row in rows:
        if row.outcome is not None and row.outcome.ref.seq < anchor.ref.seq:
            listed = [found for line in row.outcome.text.split("\n") if (found := _OPTION.match(line))]
            options |= {found[1].lower(): normalise(found[2]) for found in listed}
    if sign in options and len(options) > 1:
        name = options[sign][:BEGINS]
        yield _Choice(anchor.ref.seq, sign, name if len(name) >= NAME else "")


def _left_by_reply(rows: Sequence[Request]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """How the options begin that the person's reply to an answer left, with the message of the answer."""
    for place, (row, reply) in enumerate(pairwise(rows), start=2):
        accepted = acceptance(reply.text.text) if row.outcome is not None else None
        if accepted is None or row.outcome is None or not accepted.choices or {"all", "last"} & set(accepted.choices):
            continue
        options = _offered(row.outcome.text)
        taken = {*accepted.choices, *(sign for other in rows[place:] for sign in _signs(other.text.text))}
        if not any(signs & taken for signs, _ in options):
            continue
        left = tuple(begins for signs, begins in options if not signs & taken and len(begins) >= NAME)
        if left:
            yield row.outcome.ref.seq, left


def _offered(answer: str) -> list[tuple[set[str], str]]:
    """The options that an answer ends with: by what each may be called, and how it begins. Those that it calls “option” come first."""
    called = {found[1].lower(): _begins(found[2]) for line in answer.split("\n") if (found := _OPTION.match(line))}
    if len(called) > 1:
        return [({sign}, begins) for sign, begins in called.items()]
    sentences = split(answer)
    options = options_of(sentences, 0) if offered(sentences) is not None else []
    if not options or len(answer) - options[-1][1].end > AFTER:
        return []
    return [
        ({str(place), letter}, _begins(first.text))
        for place, (letter, (first, _)) in enumerate(zip(LETTERS, options, strict=False), start=1)
    ]


def _signs(words: str) -> set[str]:
    """The options that a message names: by a choice, or as “option 2”."""
    accepted = acceptance(words)
    return {*(accepted.choices if accepted else ()), *(found[1].lower() for found in _NAMED.finditer(words))}


def _begins(line: str) -> str:
    """The beginning of an option's own words, without its sign."""
    return normalise(line[signs.end() :] if (signs := _SIGNS.match(line)) else line)[:BEGINS]


def _is_one_of(begins: str, options: Sequence[str]) -> bool:
    return len(begins) >= NAME and any(begins.startswith(option) or option.startswith(begins) for option in options)


def _siblings(lines: Sequence[str], place: int) -> set[int]:
    """The other items of the list in which the line stands."""
    first, last = place, place
    while first > 0 and _ITEM.match(lines[first - 1]):
        first -= 1
    while last + 1 < len(lines) and _ITEM.match(lines[last + 1]):
        last += 1
    return {other for other in range(first, last + 1) if other != place}
