"""Preparing a handoff: choose, assemble, render, check, put back what is missing, check again. Pure."""

from __future__ import annotations

from datetime import datetime

from continuity.distill.model import Knowledge
from continuity.tokens import Counter
from handoffs.fidelity.expectation import expectation_of
from handoffs.fidelity.repair import missing_keys
from handoffs.fidelity.scores import validate
from handoffs.packages.assembly import assemble
from handoffs.packages.drafting import Draft
from handoffs.packages.model import Options, Prepared
from handoffs.packages.steering import UNSTEERED, Steering

MIN_BUDGET, MAX_BUDGET = 150, 200_000
REPAIRS = 2


def prepare(
    knowledge: Knowledge,
    options: Options,
    *,
    counter: Counter,
    now: datetime,
    handoff_id: str,
    conversation_id: str,
    steering: Steering = UNSTEERED,
) -> Prepared:
    """The package of what is known within `options.budget` tokens of `counter`, its directive, and the check of the one
    against the other; `steering` is what people set about its lines. Raises ValueError on a budget outside MIN_BUDGET..MAX_BUDGET."""
    if not MIN_BUDGET <= options.budget <= MAX_BUDGET:
        raise ValueError(f"budget: must be from {MIN_BUDGET} to {MAX_BUDGET} tokens, not {options.budget}")
    knowledge = steering.narrowed(knowledge)
    draft = Draft(knowledge, options, counter, steering)
    expectation = steering.excused(expectation_of(knowledge, draft.selection, draft.held_by))
    report = validate(expectation, draft.text, handoff_id=handoff_id, current=knowledge.anchors)
    for attempt in range(1, REPAIRS + 1):
        missing = missing_keys(report)
        if not missing or not draft.repair(missing):
            break
        report = validate(expectation, draft.text, handoff_id=handoff_id, current=knowledge.anchors, repairs=attempt)
    package = assemble(
        knowledge,
        options,
        draft.selection,
        held_by=draft.held_by,
        used=draft.used,
        critical_exceed=draft.used > options.budget,
        now=now,
        handoff_id=handoff_id,
        conversation_id=conversation_id,
    )
    return Prepared(package, draft.text, report, knowledge)
