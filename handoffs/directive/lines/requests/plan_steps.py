"""What is left of the agent's plan: numbered steps that name a file which nobody changed since, beside others that were done."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.extractors.shell.paths import is_document
from continuity.knowledge.language.requests import is_request
from continuity.knowledge.model import Knowledge, Quote, Ref, Request
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.ordered_steps import OrderedStep, ordered_steps
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.checks import changed_files
from handoffs.directive.lines.message_lines import message_line
from handoffs.directive.lines.wording import clip_said, one_line

LABEL = "plan left"
WORTH = 0.9
LEAST, BEGUN, BACK, STEP = 3, 2, 3, 260  # steps of a plan, those begun, messages within which it was made, and characters of a step
ENDING = 300  # characters at the end of a plan, where it is put to the user
_FILE = re.compile(r"(?<![\w./-])[\w./-]*\w\.[a-z]{1,5}\b")


def plan_candidates(knowledge: Knowledge) -> list[Candidate]:
    """The steps that are left of the last such plan before the changes; nothing where most of it was not begun."""
    working = in_work(knowledge.requests)
    if not working or knowledge.note is not None or knowledge.situation.plan is not None:
        return []
    rows = [row for row in knowledge.requests if row.seq <= working[-1].seq][-BACK:]
    offered = (row.outcome for row in reversed(rows) if row.outcome is not None and not (row.files or row.commits))
    for quote in (outcome for outcome in offered if "?" in outcome.text[-ENDING:]):  # else it reports what was done
        steps = ordered_steps(quote.text)
        if len(steps) >= LEAST:
            left = _left(steps, quote, rows, knowledge)
            told = (f"{step.number}. {step.title}: {' '.join(step.lines[:1])}".rstrip(": ") for step in left)
            words = "\n".join(clip_said(one_line(each), STEP) for each in told)
            return [message_line(SectionKind.NEXT, LABEL, Quote(words, Ref(quote.ref.seq)), WORTH)] if left else []
    return []


def _left(steps: Sequence[OrderedStep], plan: Quote, rows: Sequence[Request], knowledge: Knowledge) -> list[OrderedStep]:
    """Steps none of whose files was changed since, where most of the others were begun: their files were changed, or their names are in
    what was written or said since."""
    files = {file.path.rsplit("/", 1)[-1] for file in changed_files(knowledge) if file.last_seq > plan.ref.seq}
    now = knowledge.situation
    done = [step.said for row in rows for step in row.steps if step.files and step.seq > plan.ref.seq]
    done += [edit.body for edit in (*now.edits, *now.hunks, *now.sketches) if edit.seq > plan.ref.seq]
    names = {term for text in done for term in terms_in(text)}
    named = {step.number: {path.rsplit("/", 1)[-1] for path in _FILE.findall(_words(step)) if not is_document(path)} for step in steps}
    seen = {file.path.rsplit("/", 1)[-1] for file in knowledge.files}  # else it may be a file that only the program writes
    left = [step for step in steps if named[step.number] & seen and not named[step.number] & files and is_request(step.title)]
    others = [step for step in steps if step not in left]
    begun = [step for step in others if named[step.number] & files or names & {term for term in terms_in(_words(step)) if is_name(term)}]
    return left if len(begun) >= max(BEGUN, len(left)) and len(begun) * 2 > len(others) else []


def _words(step: OrderedStep) -> str:
    return " ".join((step.title, *step.lines[:1]))  # what stands below may be about the whole plan
