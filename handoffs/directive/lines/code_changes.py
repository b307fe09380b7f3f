"""Code that was changed and that no commit holds, file by file, as it stands now."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import groupby

from continuity.knowledge.anchors.keys import digest
from continuity.knowledge.evidence import CodeEdit
from continuity.knowledge.extractors.outcomes.code_edits import TELLS
from continuity.knowledge.extractors.outcomes.marked_lines import ELIDED
from continuity.knowledge.extractors.tools.symbols import defined
from continuity.knowledge.model import Quote, Ref, Situation
from continuity.knowledge.requests.outline import shared
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.files import is_document, is_test
from handoffs.directive.lines.message_lines import message_line
from handoffs.directive.lines.quoting import within_quotes
from handoffs.directive.lines.wording import one_line

LITTLE_CHANGED = 24  # characters that an edit changes, up to which it is a word
FILES = 5
ROOM = 0.9  # times the room of a block, for all files
DOCUMENT = 900  # characters of an edit of a document, up to which it is told
BEFORE = 0.4  # what an edit is worth that an earlier request asked for
SHORTLY = 0.4  # what an edit is worth where the budget holds little more than what binds
FIRST, LATER = 0.8, 0.1  # what the file that was edited last is worth, and how much less each before it
NAMES, INTRODUCES, PRESENT, FORMER, AROUND = range(5)  # ranks of lines, the first to be told

_COMMENT = re.compile(r"\+\s*(?:#|//|/?\*|--|\"\"\")")
_TEST = re.compile(r"\+\s*(?:(?:async )?(?:def|func|fn|function|void|class)\s+(?:\([^)]*\)\s*)?[Tt]est\w*|(?:it|test|describe)\()")


def code_candidates(now: Situation, first: int, limits: LineLimits) -> list[Candidate]:
    """A candidate for each file that was edited last, with all its edits since the last commit; `first` is the message that asked for
    the work."""
    telling = [edit for edit in now.edits if _tells(edit) or (edit is now.edits[-1] and not is_document(edit.path))]
    by_path = groupby(sorted(telling, key=lambda edit: (edit.path, edit.seq)), key=lambda edit: edit.path)
    files = sorted((tuple(edits) for _, edits in by_path), key=lambda edits: -edits[-1].seq)[:FILES]
    lines = [_lines(edits) for edits in files]
    rooms = shared([_length(each) for each in lines], int(limits.block * ROOM))
    share = 1.0 if limits.earlier else SHORTLY
    found = []
    for age, (edits, told, room) in enumerate(zip(files, lines, rooms, strict=True)):
        worth = share * (FIRST - LATER * age) * (1.0 if edits[-1].seq >= first else BEFORE)
        if short := telling_lines(told, room):
            found.append(_code(edits, short, worth))
    return found


def _tells(edit: CodeEdit) -> bool:
    """Whether an edit changes more than a word, and writes no document."""
    changed = [line[1:].strip() for line in edit.body.split("\n") if line.startswith(("+", "-"))]
    if is_document(edit.path):
        return not edit.created and LITTLE_CHANGED <= sum(map(len, changed)) <= DOCUMENT
    return sum(map(len, changed)) >= LITTLE_CHANGED or edit.created


def _code(edits: Sequence[CodeEdit], lines: Sequence[str], importance: float) -> Candidate:
    """The edits of one file as one."""
    last = edits[-1]
    line = f":{last.line}" if last.line and len(edits) == 1 else ""
    new = " (new file)" if any(edit.created for edit in edits) else ""
    place = f"{within_quotes(one_line(last.path.rsplit('/', 1)[-1])).strip()}{line}{new}"
    found = message_line(SectionKind.VERIFICATION, "edit", Quote("\n".join((place, *lines)), Ref(last.seq)), importance)
    return found._replace(item=found.item._replace(key=f"{found.item.key}.{digest(last.path)}"))


def _lines(edits: Sequence[CodeEdit]) -> list[str]:
    """The marked lines of edits of one file, oldest first; of tests what they are called."""
    found: list[str] = []
    for edit in edits:
        lines = [line for line in edit.body.split("\n") if line[1:].strip() and (line.startswith(("+", "-")) or line not in found)]
        found += [ELIDED, *lines] if found else lines
    names = [line for line in found if _TEST.match(line)] if is_test(edits[-1].path) else []
    return list(dict.fromkeys(names)) or found


def telling_lines(lines: Sequence[str], room: int) -> list[str]:
    """At most about `room` characters of marked lines: what stands there now before what was taken out, definitions and the words above
    them before what is in them. A mark stands where lines are left out."""
    if _length(lines) <= room:
        return list(lines)
    kept: set[int] = set()
    ranks = _ranks(lines)
    for place in sorted(ranks, key=lambda place: (ranks[place], place)):
        room -= len(lines[place]) + 1
        if room >= 0:
            kept.add(place)
    alone = {place for place in kept if len(lines[place].strip()) <= TELLS and not {place - 1, place + 1} & kept}
    return _with_marks(lines, kept - alone)


def _ranks(lines: Sequence[str]) -> dict[int, int]:
    """How soon each line is told."""
    ranks = {place: PRESENT if line[:1] == "+" else FORMER if line[:1] == "-" else AROUND for place, line in enumerate(lines)}
    for place, line in enumerate(lines):
        if line == ELIDED:
            del ranks[place]
        elif line.startswith("+") and defined(line[1:].strip()):
            ranks[place] = NAMES
            above = place - 1
            while above >= 0 and _COMMENT.match(lines[above]):
                ranks[above] = INTRODUCES
                above -= 1
    return ranks


def _with_marks(lines: Sequence[str], kept: Set[int]) -> list[str]:
    found: list[str] = []
    for place, line in enumerate(lines):
        if place in kept:
            found.append(line)
        elif found and found[-1] != ELIDED:
            found.append(ELIDED)
    return found


def _length(lines: Sequence[str]) -> int:
    return sum(len(line) + 1 for line in lines)
