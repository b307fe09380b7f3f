"""Agreement before output: what disagrees with the course of the session is mended or left out before a package is planned. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from continuity.knowledge.directive_parser.grammar import PLACES
from continuity.knowledge.language.requests import is_question
from continuity.knowledge.model import Anchor, AnchorType, Knowledge, Quote, Situation, Task, TaskStatus
from handoffs.directive.lines.tasks import open_tasks
from handoffs.fidelity.agreement import ClaimedLine, Disagreement, DisagreementCode, RawEvidence, disagreements
from handoffs.fidelity.agreement.directive_claims import claim_kind
from handoffs.fidelity.agreement.model import ClaimKind

_RULE = frozenset((DisagreementCode.RULE_UNSAID, DisagreementCode.RULE_FOR_ONCE))
# What a later run or the person's choice shows to be over; the others only tell that words are old.
_LEFT_OUT = frozenset(
    (DisagreementCode.FAULT_MENDED, DisagreementCode.NOT_CHOSEN, DisagreementCode.ANNOUNCEMENT, DisagreementCode.TAKEN_BACK)
)


HANDED_ON = "directive."  # how an anchor is found that a predecessor's directive told: this session's evidence knows nothing of it


def agreed(knowledge: Knowledge, evidence: RawEvidence | None, *, keep: Collection[str] = ()) -> Knowledge:
    """The knowledge without what `evidence` shows to be over.

    A rule that is none binds no more and is told as what was said. Mended errors, options not taken and steps that were announced and
    passed are left out unless they bind. A task that was done is done; a next step that was done or overtaken is not told. Anchors
    whose keys are in `keep`, and those that a directive handed on, stay as they are.
    """
    if evidence is None or not evidence.turns:
        return knowledge
    return replace(
        knowledge,
        anchors=tuple(_anchors(knowledge.anchors, evidence, keep)),
        tasks=tuple(_tasks(knowledge, evidence)),
        situation=_situation(knowledge.situation, evidence),
    )


def _anchors(anchors: Sequence[Anchor], evidence: RawEvidence, keep: Collection[str]) -> Iterator[Anchor]:
    told = [
        (number, telling)
        for number, anchor in enumerate(anchors)
        if (telling := _telling(anchor)) and anchor.key not in keep and not anchor.method.startswith(HANDED_ON)
    ]
    lines = [
        ClaimedLine(
            number, telling, PLACES[anchors[number].type][1], anchors[number].text, anchors[number].ref.seq, anchors[number].critical
        )
        for number, telling in told
    ]
    wrong = _by_line(lines, evidence)
    for number, anchor in enumerate(anchors):
        code = wrong[number].code if number in wrong else None
        if code in _RULE and is_question(anchor.text):
            continue  # the history tells what was asked
        if code in _RULE:
            yield (
                replace(anchor, type=AnchorType.FACT, critical=False)
                if anchor.type is not AnchorType.DECISION
                else replace(anchor, critical=False)
            )
        elif code not in _LEFT_OUT or anchor.critical:
            yield anchor


def _telling(anchor: Anchor) -> ClaimKind | None:
    return claim_kind(*PLACES[anchor.type])


def _tasks(knowledge: Knowledge, evidence: RawEvidence) -> Iterator[Task]:
    still = {task.key for task in open_tasks(knowledge)}
    lines = [
        ClaimedLine(number, ClaimKind.OPEN, "open", task.description, task.seq if not task.tool_id else 0)
        for number, task in enumerate(knowledge.tasks)
        if task.key in still and not task.steps_left
    ]
    wrong = _by_line(lines, evidence)
    for number, task in enumerate(knowledge.tasks):
        yield replace(task, status=TaskStatus.COMPLETED) if number in wrong else task


def _situation(now: Situation, evidence: RawEvidence) -> Situation:
    step = now.next_step
    return replace(now, next_step=None, begun=False) if step is not None and _is_over(step, evidence) else now


def _is_over(step: Quote, evidence: RawEvidence) -> bool:
    return bool(disagreements([ClaimedLine(0, ClaimKind.NEXT, "next step", step.text, step.ref.seq)], evidence))


def _by_line(lines: Sequence[ClaimedLine], evidence: RawEvidence) -> dict[int, Disagreement]:
    return {each.line: each for each in disagreements(lines, evidence)}
