"""Code that was read, as lines: what the open request and the agent's words since are about."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import dropwhile

from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.evidence import CodeExcerpt
from continuity.knowledge.extractors.outcomes.marked_lines import ELIDED
from continuity.knowledge.extractors.outcomes.sketch_units import CLOSES
from continuity.knowledge.model import FileAction, Knowledge, Quote, Ref, Request, RequestKind
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.checks import changed_files
from handoffs.directive.lines.message_lines import by_itself, message_line
from handoffs.directive.lines.quoting import as_name
from handoffs.directive.lines.tasks import open_tasks

ROOMY = 2000  # characters of a block in a directive that has room for it
EXCERPTS, EXCERPT, READ_WHILE_EDITING = 3, 0.5, 0.8  # shown of code that was read, what one is worth, and that beside newest edits
CUT, EARLIER = 0.6, 0.25  # what one is worth that breaks off, and less for each that was named before others
TOLD = 2  # of the agent's latest words
SHOWN, AROUND = 24, 8  # lines of an excerpt, and those before one that the latest words name
_NAME = re.compile(r"[A-Za-z_]\w{3,}")
_SHORT_WORDS = frozenset((RequestKind.GO_ON, RequestKind.ANSWER, RequestKind.REMARK))  # they go on with what was read before


def excerpt_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """Code that was read and that the latest words name, what they name last first: nobody has to look for it again."""
    if limits.block < ROOMY:
        return []
    now, rows = knowledge.situation, in_work(knowledge.requests)
    named = {name: place for place, name in enumerate(_named(knowledge))}
    asked = [row for row in rows if row.kind not in _SHORT_WORDS][-1:]
    spoken_of = {*_terms(_words_since(knowledge, asked)), *_terms([row.text for row in asked])}
    gone = {file.path for file in changed_files(knowledge) if file.action is FileAction.DELETED}
    shown = {name for edit in (*now.edits, *now.unwritten) for name in edit.names}
    since = {file.path: file.last_seq for file in changed_files(knowledge)}
    excerpts = [
        each
        for each in now.excerpts
        if each.name in (named if asked and each.seq >= asked[0].seq else spoken_of)  # else of a question that is over
        and each.name in named
        and each.name not in shown
        and each.path not in gone
        and since.get(each.path, 0) <= each.seq  # nothing tells what became of it
    ]
    share = READ_WHILE_EDITING if now.edits else 1.0
    latest = sorted(excerpts, key=lambda each: -named[each.name])[:EXCERPTS]
    worths = [share * EXCERPT * (CUT if each.body.endswith(ELIDED) else 1.0) * (1 - EARLIER * age) for age, each in enumerate(latest)]
    names = {word for name in named for word in _NAME.findall(name)}
    return [_excerpt(each, worth, names) for each, worth in zip(latest, worths, strict=True)]


def _excerpt(excerpt: CodeExcerpt, worth: float, names: Collection[str]) -> Candidate:
    place = f"{as_name(excerpt.path.rsplit('/', 1)[-1])}{f':{excerpt.line}' if excerpt.line else ''}"
    body = _around(excerpt, names)
    line = message_line(SectionKind.LAST, "excerpt", Quote(f"{place}\n{body}", Ref(excerpt.seq)), worth)
    return by_itself(line, f"{excerpt.path}:{excerpt.name}")


def _around(excerpt: CodeExcerpt, names: Collection[str]) -> str:
    """The code of a long excerpt up to what it defines, and the lines that have most of the names, of several such places the last; of one
    that has none of them its beginning."""
    lines = excerpt.body.split("\n")
    if len(lines) <= SHOWN:
        return excerpt.body
    head = next((at for at, line in enumerate(lines) if excerpt.name in _NAME.findall(line) and "(" in line), 0) + 1
    has = [{name for name in _NAME.findall(line) if name in names and name != excerpt.name} for line in lines]
    at = [n for n, found in enumerate(has) if n >= head and found]
    room = SHOWN - head
    if not at or at[-1] < SHOWN:
        return "\n".join((*lines[:SHOWN], ELIDED))
    begun = max(at, key=lambda n: (len(set[str]().union(*has[n : n + room - AROUND])), n))
    begun = max(head, min(begun - AROUND, len(lines) - room))
    told = _statements(lines[begun : begun + room])
    return "\n".join((*lines[:head], *([ELIDED] if begun > head else []), *told, *([ELIDED] if begun + room < len(lines) else [])))


def _statements(lines: Sequence[str]) -> list[str]:
    """Lines cut out of a body without the brackets at their beginning that close what is not told, and without a head at their end whose
    body is not told."""
    told = list(dropwhile(lambda line: not line.strip() or CLOSES.match(line), lines))
    while told and (not told[-1].strip() or told[-1].rstrip().endswith(("{", "(", "[", ":", ","))):
        told.pop()
    return told


def _named(knowledge: Knowledge) -> Iterator[str]:
    """The names in open tasks, in what the request in work goes on from, in what the agent said and thought last, and in the request."""
    rows = in_work(knowledge.requests)
    quotes = [row.outcome for row in knowledge.requests[-2:]]
    quotes += [*_words_since(knowledge, rows), *(row.text for row in rows)]
    yield from (term for task in open_tasks(knowledge) for term in terms_in(task.description) if is_name(term))
    yield from _terms(quotes)


def _words_since(knowledge: Knowledge, rows: Sequence[Request]) -> list[Quote | None]:
    """What the agent said and thought last for requests."""
    turns, now = knowledge.turns[-1:], knowledge.situation
    quotes = [quote for row in rows for quote in row.told[-TOLD:]]
    return [*quotes, *(each for turn in turns for each in (turn.thought, turn.answer)), now.next_step, *now.looking]


def _terms(quotes: Sequence[Quote | None]) -> Iterator[str]:
    return (term for quote in quotes if quote is not None for term in terms_in(quote.text) if is_name(term))
