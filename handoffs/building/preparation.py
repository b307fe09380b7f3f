"""Preparing a handoff: choose, assemble, render, check, put back what is missing, check again. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from continuity.core.isolation import NOT_ITS_FAULT, error_type, place_of
from continuity.knowledge.model import Knowledge
from continuity.knowledge.state.fold_cache import remembering
from continuity.usage.tokens import Counter
from handoffs.budgeting.draft import Draft
from handoffs.building.assembly import assemble
from handoffs.building.evidence_agreement import agreed
from handoffs.building.fault_isolation import sound_part, with_omissions
from handoffs.building.lagging import without_lagging
from handoffs.building.settled_decisions import settled
from handoffs.contract.model import FidelityReport, Options, Prepared
from handoffs.directive.line_overrides import UNSTEERED, Steering
from handoffs.fidelity.agreement import RawEvidence
from handoffs.fidelity.expectation import expectation_of
from handoffs.fidelity.probes import Probe, Timeline
from handoffs.fidelity.repair import counted_keys, missing_keys
from handoffs.fidelity.scores import validate

MIN_BUDGET, MAX_BUDGET = 150, 200_000
REPAIRS = 2
# From this budget on, what a probe finds missing is put back; in less, the lines that go for it tell more (docs/quality.md).
ANSWERED_FROM = 1200


@remembering()
def check_again(
    knowledge: Knowledge,
    options: Options,
    text: str,
    *,
    counter: Counter,
    handoff_id: str,
    steering: Steering = UNSTEERED,
    probes: Sequence[Probe] = (),
    course: Timeline | None = None,
) -> FidelityReport:
    """The check of a directive that was made before against what is known now; the arguments are those of `prepare`."""
    evidence = RawEvidence(course) if course else None
    knowledge = without_lagging(knowledge, keep=steering.pinned)
    knowledge = settled(agreed(steering.narrowed(knowledge), evidence, keep=steering.pinned), keep=steering.pinned)
    draft = Draft(knowledge, options, counter, steering)
    expectation = steering.excused(expectation_of(knowledge, draft.selection, draft.held_by))
    return validate(expectation, text, handoff_id=handoff_id, current=knowledge.anchors, probes=probes, evidence=evidence)


@remembering()
def prepare(
    knowledge: Knowledge,
    options: Options,
    *,
    counter: Counter,
    now: datetime,
    handoff_id: str,
    conversation_id: str,
    steering: Steering = UNSTEERED,
    probes: Sequence[Probe] = (),
    course: Timeline | None = None,
) -> Prepared:
    """The package of what is known within `options.budget` tokens of `counter`, its directive, and the check of the one
    against the other; `steering` is what people set about its lines, `probes` are asked of it beside the check; `course` is the raw
    evidence by which what disagrees is mended or left out beforehand, and what still does is told of.

    Lines that answer a probe go in where lines that the check does not count make room. A row that a package can't be made with is left
    out, and told of in the report. Raises ValueError on a budget outside MIN_BUDGET..MAX_BUDGET."""
    if not MIN_BUDGET <= options.budget <= MAX_BUDGET:
        raise ValueError(f"budget: must be from {MIN_BUDGET} to {MAX_BUDGET} tokens, not {options.budget}")

    def attempt(known: Knowledge, asked: Sequence[Probe], seen: RawEvidence | None = None) -> Prepared:
        return _prepared(known, options, counter, now, handoff_id, conversation_id, steering, asked, seen)

    try:
        return attempt(knowledge, probes, RawEvidence(course) if course else None)
    except NOT_ITS_FAULT:
        raise
    except Exception as error:  # noqa: BLE001  what raises is found, left out, and told of in the report
        whole = ("knowledge", f"{error_type(error)} at {place_of(error)}")
    found = sound_part(knowledge, tuple(probes), attempt)
    made = attempt(found.knowledge, found.probes)
    return replace(made, report=with_omissions(made.report, found.raised or (whole,)))


def _prepared(
    knowledge: Knowledge,
    options: Options,
    counter: Counter,
    now: datetime,
    handoff_id: str,
    conversation_id: str,
    steering: Steering,
    probes: Sequence[Probe],
    evidence: RawEvidence | None,
) -> Prepared:
    knowledge = without_lagging(knowledge, keep=steering.pinned)
    knowledge = settled(agreed(steering.narrowed(knowledge), evidence, keep=steering.pinned), keep=steering.pinned)
    draft = Draft(knowledge, options, counter, steering)
    expectation = steering.excused(expectation_of(knowledge, draft.selection, draft.held_by))
    check = partial(validate, expectation, handoff_id=handoff_id, current=knowledge.anchors, probes=probes, evidence=evidence)
    report = check(draft.text)
    counted = counted_keys(expectation, draft.selection, draft.held_by)
    for attempt in range(1, REPAIRS + 1):
        unanswered = [answer.probe for answer in report.probes if not answer.answered and options.budget >= ANSWERED_FROM]
        mended = draft.repair(missing_keys(report))
        if not draft.repair(draft.answering(unanswered), keep=counted) and not mended:
            break
        report = check(draft.text, repairs=attempt)
    if draft.fill_up():
        report = check(draft.text, repairs=report.repairs)
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
    return Prepared(package, draft.text, report, knowledge, draft.known)
