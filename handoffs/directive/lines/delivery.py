"""How work is delivered: the steps with which it usually ends in this project (its checks, a commit, a push), and a commit in words."""

from __future__ import annotations

import re

from continuity.knowledge.directive_parser.grammar import BETWEEN_STEPS
from continuity.knowledge.extractors.tools.commands import without_filters
from continuity.knowledge.model import Knowledge
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.message_lines import detail_line
from handoffs.directive.lines.wording import clip, one_line

CHECKS, CHECK = 3, 80
USUALLY = 0.5  # of the earlier requests with changes, the share that a commit followed
PUSH = "git push"
_COMMITTED = re.compile(r"\[(?P<branch>[^\]\s]+)(?: \(root-commit\))? (?P<hash>[0-9a-f]{7,40})\] ?")


def delivery_candidates(knowledge: Knowledge) -> list[Candidate]:
    """One line where earlier requests that changed files were checked or committed, and the request in work is not delivered yet."""
    now = knowledge.situation
    current = {row.seq for row in in_work(knowledge.requests)}
    worked = [row for row in knowledge.requests if row.files and row.seq not in current]
    if not worked or now.waiting:
        return []
    steps = []
    if any(row.check for row in worked):
        runs = dict.fromkeys(without_filters(run.command) for run in sorted(now.checks, key=lambda run: run.seq))
        steps += [f"`{clip(one_line(command), CHECK)}`" for command in list(runs)[-CHECKS:]]
    if sum(1 for row in worked if row.commits) >= USUALLY * len(worked):
        steps.append("commit")
        if any(PUSH in run.command for run in now.recent_commands):
            steps.append("push")
    return [detail_line(SectionKind.TASKS, "delivery", BETWEEN_STEPS.join(steps), worked[-1].seq, 0.85)] if steps else []


def commit_words(text: str, branch: str) -> str:
    """What git printed of a commit as its hash and subject, with its branch where that is another one than the present `branch`."""
    match = _COMMITTED.match(line := one_line(text))
    if match is None:
        return line.removeprefix("Commit ")
    elsewhere = f" ({match['branch']})" if match["branch"] != branch else ""
    return f"{match['hash']}{elsewhere} {line[match.end() :]}"
