"""What the present state asks of whoever goes on, in one line, in the order in which it is done."""

from __future__ import annotations

from continuity.knowledge.directive_parser.grammar import BETWEEN_STEPS
from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.extractors.tools.commands import without_filters
from continuity.knowledge.model import Knowledge, RequestKind
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.checks import changed_files
from handoffs.directive.lines.evidence import has_conflicts, still_failing
from handoffs.directive.lines.files import is_document
from handoffs.directive.lines.message_lines import detail_line
from handoffs.directive.lines.next_steps import next_step
from handoffs.directive.lines.wording import clip, one_line

CHECK = 160  # characters of a command
ANNOUNCED = "finish what was announced"
CONFLICTS = "resolve the conflicts that are left, and finish the merge"
FAILS = "mend what fails"
RUN_AGAIN = "run `{}` again, since files were changed after it"
ANSWER = "then answer the user’s question"
REPORT = "then tell the user what was done"


def to_do_candidates(knowledge: Knowledge) -> list[Candidate]:
    """One line where it is the agent's move and the state asks for something; nothing where only the request itself is left."""
    now = knowledge.situation
    rows = in_work(knowledge.requests)
    if now.waiting is not False or not rows:
        return []
    steps = [ANNOUNCED] if now.begun and next_step(knowledge) else []
    if any(has_conflicts(run) and run.seq >= rows[0].seq for run in now.blocked):
        steps.append(CONFLICTS)
    if any(not failure.stale for failure in still_failing(now)):
        steps.append(FAILS)
    check = now.verification
    if check is not None and any(_is_code(path) and seq > check.seq for path, seq in _changes(knowledge)):
        steps.append(RUN_AGAIN.format(clip(one_line(without_filters(check.command.strip())), CHECK)))
    if steps:
        steps.append(ANSWER if rows[-1].kind is RequestKind.QUESTION else REPORT)
    return [detail_line(SectionKind.NEXT, "to do", BETWEEN_STEPS.join(steps), knowledge.through_seq, 0.97)] if steps else []


def _changes(knowledge: Knowledge) -> list[tuple[str, int]]:
    return [(file.path, file.last_seq) for file in changed_files(knowledge)]


def _is_code(path: str) -> bool:
    return not (is_document(path) or is_scratch(path))
