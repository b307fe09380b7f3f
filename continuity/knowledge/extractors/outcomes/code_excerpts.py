"""Code that was read: definitions that a look at a place showed, and of longer results those that the latest words name.

Whoever goes on need not look for them again. What an edit takes out of an excerpt makes it old, and it is forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from textwrap import dedent

from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.evidence import CodeExcerpt
from continuity.knowledge.extractors.outcomes.marked_lines import ELIDED
from continuity.knowledge.extractors.shell.line_numbers import NUMBER, unnumbered
from continuity.knowledge.extractors.shell.paths import is_document, is_scratch, is_test, relative
from continuity.knowledge.extractors.tools.symbols import defined
from continuity.knowledge.language.clip import clip
from continuity.knowledge.model import FileAction, Quote, Request
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.work_items import LEAST as LEAST_POINTS
from continuity.knowledge.requests.work_items import is_point
from continuity.knowledge.state.open_items import Pending
from continuity.knowledge.state.step import FoldStep
from continuity.secrets.finding import find
from continuity.transcripts.base.model import Part

READ = 60_000  # characters of a result
LOOK = 120  # lines of a result up to which it is a look at a place
KEPT, NAMED = 6, 4  # definitions of a look, and of a longer result
USES = 20  # of a name in a long result, the first
ABOUT, BODY, LINE, SIZE = 6, 44, 160, 1600  # lines of words about a definition, of it, characters of a line and of all
LEAST = 4  # lines of a definition in which a result ends
PATH = 200

_COMMENT = re.compile(r"\s*(?://|#(?!include|define|\[)|/?\*|--\s|\"\"\"|@\w)")
_CLOSES = re.compile(r"\s*(?:[)\]}]|end\b)")
_IN_NAME = re.compile(r"\w")
_RANGE = re.compile(r"(\d{1,6})")
_BEHIND = "<system-reminder>"  # a tool's own words behind a file's


def read(step: FoldStep, part: Part, pending: Pending) -> None:
    """Keep the code that a result of reading one file shows."""
    if part.failed or part.exit_code or len(pending.effects) != 1 or pending.effects[0].action is not FileAction.READ:
        return
    effect = pending.effects[0]
    if is_document(effect.path) or is_scratch(effect.path):
        return
    text = part.text[:READ].partition(_BEHIND)[0]
    path = clip(relative(effect.path, pending.subject, step.state.root), PATH)
    if text.count("\n") <= LOOK and not is_test(effect.path):
        found = islice(_excerpts(text, _first_line(text, effect.note)), KEPT)
    else:
        found = islice((each for name in _named(step) if name in text for each in _definition(text, name)), NAMED)
    for name, line, body in list(found):
        if not find(body):  # of a secret that is cut nobody would find the rest
            step.state.excerpts.put(f"{path}:{name}", CodeExcerpt(path, step.seq, name, body, line))


def changed(step: FoldStep, path: str, edited: Sequence[str]) -> None:
    """Forget the definitions that an edit, whose marked lines are `edited`, shows or takes lines out of, and all of a file that it only
    brings lines into: it is written anew, and the edit tells what stands there now."""
    of_file = [(key, each) for key, each in step.state.excerpts.items() if each.path == path]
    if not of_file:
        return
    out = {line[1:].strip() for line in edited if line[:1] == "-" and any(map(str.isalnum, line))}
    whole = all(line[:1] == "+" for line in edited)
    defines = {name for line in edited for name in defined(line[1:])}
    for key, each in of_file:
        if whole or each.name in defines or any(line.strip() in out for line in each.body.split("\n")):
            step.state.excerpts.pop(key)


def _named(step: FoldStep) -> Iterator[str]:
    """The names in what the agent thought and said last, in the words of the request in work, and in the last answers."""
    state = step.state
    rows, turns = in_work(state.requests), state.turns[-1:]
    quotes = [each for turn in turns for each in (turn.thought, turn.answer)] + [state.short_thought, state.next_step]
    quotes += [*(row.text for row in rows), *(quote for row in rows[-1:] for quote in row.told[-1:])]
    quotes += [*(row.outcome for row in state.requests[-2:]), *_listed(rows)]
    names = (term for quote in quotes if quote is not None for term in terms_in(quote.text) if is_name(term))
    return iter(dict.fromkeys(names))


def _listed(rows: Sequence[Request]) -> list[Quote]:
    """The latest list that the agent told for the request: each of its points may need the code at its place."""
    told = (quote for row in reversed(rows) for quote in reversed(row.told))
    return [quote for quote in told if sum(map(is_point, quote.text.split("\n"))) >= LEAST_POINTS][:1]


def _definition(text: str, name: str) -> Iterator[tuple[str, int, str]]:
    """What a long text shows of the definition of a name."""
    for place in islice(_places(text, name), USES):
        begin, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
        if place - begin > LINE:
            continue  # no head of a definition stands so far to the right
        line = text[begin : min(end if end >= 0 else len(text), begin + LINE)]
        if name in defined(line[_number_of(line)[1] :]):
            before = text[max(0, begin - ABOUT * LINE) : begin].split("\n")[-ABOUT - 1 : -1]
            window = "\n".join((*before, *text[begin:].split("\n", BODY + 2)[: BODY + 2]))
            yield from islice((each for each in _excerpts(window, _number_of(window)[0]) if each[0] == name), 1)
            return


def _places(text: str, name: str) -> Iterator[int]:
    """Where a name stands by itself."""
    place = text.find(name)
    while place >= 0:
        if not _IN_NAME.search(text[max(0, place - 1) : place] + text[place + len(name) : place + len(name) + 1]):
            yield place
        place = text.find(name, place + len(name))


def _first_line(text: str, note: str) -> int:
    """The number of a result's first line, 0 where nothing tells it."""
    told = _RANGE.match(note)
    return _number_of(text)[0] or (int(told[1]) if told else 0)


def _number_of(line: str) -> tuple[int, int]:
    """The number before a line, and where its words begin; nothing where it has none."""
    match = NUMBER.match(line)
    return (int(match["number"]), match.end()) if match else (0, 0)


def _excerpts(text: str, number: int) -> Iterator[tuple[str, int, str]]:
    """Names, lines and words of what a text defines, whose first line has the `number`."""
    lines = [line[:LINE].rstrip() for line in unnumbered(text).text.split("\n")]
    end = 0
    for at, line in enumerate(lines):
        names = defined(line) if at >= end else ()
        if names:
            first = _words_about(lines, at)
            end = _end(lines, at)
            if end < len(lines) or end > at + LEAST:  # else the result ends in it, and shows hardly more than its name
                yield names[0], number + first if number else 0, _body(lines[first:end], cut=_goes_on(lines, at, end))


def _words_about(lines: Sequence[str], at: int) -> int:
    """Where the comment right above a definition begins, of a long one its last lines."""
    first = at
    while first > max(0, at - ABOUT) and _COMMENT.match(lines[first - 1]):
        first -= 1
    return first


def _end(lines: Sequence[str], at: int) -> int:
    """Behind what is told of a definition."""
    end, depth, last = at + 1, _indent(lines[at]), min(len(lines), at + BODY)
    while end < last and not _is_over(lines, at, end, depth):
        end += 1
    if end < len(lines) and end < last and _CLOSES.match(lines[end]) and _indent(lines[end]) == depth:
        end += 1
    while end > at + 1 and not lines[end - 1].strip():
        end -= 1
    return end


def _goes_on(lines: Sequence[str], at: int, end: int) -> bool:
    if end == len(lines):  # the result ends in it
        return _opens(lines[at:end]) > 0
    return end == at + BODY and _indent(lines[end]) > _indent(lines[at])


def _opens(lines: Sequence[str]) -> int:
    """How many braces are open behind lines."""
    return sum(line.count("{") - line.count("}") for line in lines)


def _is_over(lines: Sequence[str], at: int, place: int, depth: int) -> bool:
    """Whether a line lies behind a definition: its signature may go on at its own depth."""
    head = "".join(lines[at:place])
    return bool(lines[place].strip()) and _indent(lines[place]) <= depth and head.count("(") <= head.count(")")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _body(lines: Sequence[str], *, cut: bool) -> str:
    """The lines within SIZE, moved to the left, with a mark where more follows."""
    kept: list[str] = []
    for line in lines:
        if sum(map(len, kept)) + len(kept) + len(line) > SIZE:
            cut = True
            break
        kept.append(line)
    return dedent("\n".join(kept)).strip("\n") + (f"\n{ELIDED}" if cut else "")
