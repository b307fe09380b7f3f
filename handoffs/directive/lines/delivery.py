"""How work is delivered: the steps with which it usually ends in this project (its checks, a commit, a push), what follows the work itself
(the pull request it belongs to, the comments it began with), and a commit in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from continuity.knowledge.directive_parser.grammar import BETWEEN_STEPS
from continuity.knowledge.evidence import Keeping
from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.extractors.tools.commands import without_filters
from continuity.knowledge.model import CommandRun, Knowledge, Request, Situation
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.message_lines import detail_line
from handoffs.directive.lines.wording import CODE, one_line

CHECKS, CHECK = 2, 80
CLOSE = 8  # messages between checks that are made together
TWICE = 2  # requests that ended with it make a habit
USUALLY = 0.5  # of the earlier requests with changes, the share that a commit followed
PUSH = "git push"
# A check of single tests was for what was worked on then.
_PICKS = re.compile(
    r"(?:^|\s)(?:-run|-k|(?<!python )(?<!python3 )-m|-t|--?[Gg]rep|--?[Ff]ilter|--testNamePattern|--gtest_filter\S*)(?:[ =]|$)|::"
    r"|[\w-]+[._](?:test|spec)\.\w+|\btest_\w+\.\w+"
)
_COMMITTED = re.compile(r"\[(?P<branch>[^\]\s]+)(?: \(root-commit\))? (?P<hash>[0-9a-f]{7,40})\] ?")

DELIVER = "Commit and push to {}"
ANSWER = "See whether the review comments that were read are to be answered: none is so far"
_OPEN = frozenset((Keeping.UNCOMMITTED, Keeping.STAGED, Keeping.EDITED_AGAIN, Keeping.UNKNOWN))
_KIND = "pull request"
_LEAVES = re.compile(r"\b(?:do not|don['’]t|never|without) (?:\w+ ){0,2}(?:commit|push)", re.I)
_READS = re.compile(
    r"\b(?:pulls|merge_requests)/\d+/(?:comments|reviews|notes|discussions)\b|\breviewThreads\b|\bpr view\b.*\b(?:comments|reviews)\b"
)
_ANSWERS = re.compile(
    r"/replies\b|\b(?:pr|mr) (?:comment|note|review)\b|(?:-X|--method) ?POST\b| -[fF] body=|ReviewThreadReply|resolveReviewThread"
)


def delivery_candidates(knowledge: Knowledge) -> list[Candidate]:
    """One line where several earlier requests that changed files ended with the same check, or with commits, and the one in work is not
    delivered yet."""
    now = knowledge.situation
    current = {row.seq for row in in_work(knowledge.requests)}
    worked = [row for row in knowledge.requests if row.files and row.seq not in current]
    if not worked or now.waiting:
        return []
    steps = [f"`{command}`" for command in usual_checks(knowledge)]
    committed = [row for row in worked if row.commits]
    if len(committed) >= max(TWICE, USUALLY * len(worked)):
        steps.append("commit")
        if any(PUSH in run.command for run in now.recent_commands):
            steps.append("push")
    return [detail_line(SectionKind.TASKS, "delivery", BETWEEN_STEPS.join(steps), worked[-1].seq, 0.85)] if steps else []


def usual_checks(knowledge: Knowledge) -> list[str]:
    """The checks with which the work here usually ends."""
    current = {row.seq for row in in_work(knowledge.requests)}
    worked = [row for row in knowledge.requests if row.files and row.seq not in current]
    return _with_those_beside(_habits(worked)[-CHECKS:], knowledge.situation.checks, worked)


def after_the_work(knowledge: Knowledge, rows: Sequence[Request]) -> list[str]:
    """Where the request in work began with comments that were read and not answered: what the session's pull request lacks of it, and the
    answers. Other requests need not be about that pull request, which may be merged, or another branch's."""
    now = knowledge.situation
    ran = [run.command for run in now.recent_commands if run.seq >= rows[0].seq]
    if not any(map(_reads, ran)) or any(map(_ANSWERS.search, ran)):
        return []
    requested = [each for each in now.made if each.kind == _KIND]
    is_left = any(_LEAVES.search(row.text.text) for row in rows) or any(
        "git commit" in call.target and call.seq >= rows[0].seq for call in now.refusals
    )
    pushed = [DELIVER.format(f"{_KIND} {requested[-1].id}".strip())] if requested and _is_open(now, rows) and not is_left else []
    return [*pushed, ANSWER]


def _reads(command: str) -> bool:
    return _READS.search(command) is not None and _ANSWERS.search(command) is None


def _is_open(now: Situation, rows: Sequence[Request]) -> bool:
    """Whether files were changed for the request in work that are not committed, or a call that would change one has no result."""
    kept = (file for file in now.changed if file.keeping in _OPEN and file.seq >= rows[0].seq and not is_scratch(file.path))
    return any(kept) or bool(now.unwritten)


def _habits(worked: Sequence[Request]) -> list[str]:
    """The checks that several requests ended with; one that stands within another of them is a part of it."""
    ran = Counter(one_line(without_filters(found[1])) for row in worked if (found := CODE.search(row.check)))
    usual = [command for command, count in ran.items() if count >= TWICE and len(command) <= CHECK and not _PICKS.search(command)]
    return [command for command in usual if not any(command != other and command in other for other in usual)]


def _with_those_beside(habits: Sequence[str], checks: Sequence[CommandRun], worked: Sequence[Request]) -> list[str]:
    """The habits with the checks of the whole work that ran beside one of them last: formatting and linting before the tests, or after the
    last change of a request that ended with one."""
    last = {one_line(without_filters(check.command)): check.seq for check in checks}
    whole = {command: seq for command, seq in last.items() if len(command) <= CHECK and not _PICKS.search(command)}
    ends = [_end(row) for row in worked if any(f"`{habit}" in row.check for habit in habits)]
    beside = [
        command
        for command, seq in whole.items()
        if not any(command in habit for habit in habits)
        and (any(0 < last.get(habit, 0) - seq <= CLOSE for habit in habits) or any(first < seq <= until for first, until in ends))
    ]
    return [*sorted(beside, key=lambda command: last[command])[-CHECKS:], *habits]


def is_chosen(command: str) -> bool:
    """Whether a check is of single tests, and not of the whole."""
    return _PICKS.search(command) is not None


def _end(row: Request) -> tuple[int, int]:
    """The messages of a request after its last change."""
    return max((step.seq for step in row.steps if step.files), default=row.last_seq), row.last_seq


def is_pushed(now: Situation) -> bool:
    """Whether the last push took the last commit along."""
    match = _COMMITTED.match(one_line(now.commits[-1].text)) if now.commits else None
    pushes = [change for change in now.outside if change.startswith(PUSH)]
    return match is not None and bool(pushes) and f" at {match['hash']}"[:11] in pushes[-1]


def commit_words(text: str, branch: str) -> str:
    """What git printed of a commit as its hash and subject, with its branch where that is another one than the present `branch`."""
    match = _COMMITTED.match(line := one_line(text))
    if match is None:
        return line.removeprefix("Commit ")
    elsewhere = f" (on {match['branch']})" if match["branch"] != branch else ""
    return f"{match['hash']}{elsewhere} {line[match.end() :]}"
