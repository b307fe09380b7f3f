"""The checks that the user named for the request in work and that did not run since the last change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from continuity.knowledge.evidence import PartState
from continuity.knowledge.extractors.shell.parser import parse
from continuity.knowledge.extractors.tools.verification import CHECK, kind_of
from continuity.knowledge.model import CommandRun, Knowledge, Request, RequestKind
from handoffs.directive.lines.checks import changed_code, runs
from handoffs.directive.lines.reruns import checks_in, is_held
from handoffs.directive.lines.tasks import open_tasks
from handoffs.directive.lines.wording import CODE

MOST, LONGEST = 3, 80
_FENCED = re.compile(r"^```\w*\n(?P<code>.*?)^```", re.M | re.S)
_LEFT_OUT = re.compile(r"\b(?:do not|don['’]t|never|without|not|no need to)\b[^.,;:]*$", re.I)
_VERIFIES = re.compile(r"\b(?:run|verify|verif\w+|check|tests?|lint|build)\b", re.I)
_NOT_DONE = frozenset((PartState.OPEN, PartState.IN_PROGRESS))


def asked_checks(knowledge: Knowledge, rows: Sequence[Request]) -> list[str]:
    """They come last: nothing while other parts of the work are open."""
    now, changed = knowledge.situation, changed_code(knowledge)
    if not any(seq > rows[0].seq for seq in changed) or _has_more_to_do(knowledge, rows):
        return []
    ran = [(run.command, run.seq) for run in (*runs(now), *now.recent_commands)]
    ran += [(call.text, call.ref.seq) for call in now.unanswered]
    later = [command for command, seq in ran if seq > max(changed)]
    named = dict.fromkeys(command for row in rows if row.kind is not RequestKind.SUMMARY for command in _named(row.text.text))
    return [command for command in named if not any(is_held(CommandRun(command, 0), run) for run in later)][:MOST]


def _named(text: str) -> Iterator[str]:
    """The checks in a text's code, but for those that it says not to run."""
    lines = [line for block in _FENCED.finditer(text) for line in block["code"].splitlines()]
    lines += [
        found[1]
        for line in _FENCED.sub("", text).splitlines()
        for found in CODE.finditer(line)
        if not _LEFT_OUT.search(line[: found.start()])
    ]
    for line in lines:
        yield from (part for part in checks_in(line.strip()) if len(part) <= LONGEST and kind_of(parse(part)) >= CHECK)


def _has_more_to_do(knowledge: Knowledge, rows: Sequence[Request]) -> bool:
    parts = [part.title for part in knowledge.situation.parts if part.state in _NOT_DONE and part.last_seq >= rows[0].seq]
    left = [step for task in open_tasks(knowledge) for step in task.steps_left]
    return any(title.strip() and not _VERIFIES.search(title) for title in (*parts, *left))
