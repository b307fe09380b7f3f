"""The fidelity check (CONT-06): what a rendered directive states of what it was to state."""

from __future__ import annotations

from collections.abc import Sequence

from continuity.core.tracing import span
from continuity.knowledge.model import Anchor, Task
from handoffs.contract.model import Expectation, FidelityIssue, FidelityReport, Severity
from handoffs.directive.lines.wording import Stated, one_line
from handoffs.fidelity.agreement import RawEvidence, agreement_of, claimed_lines, disagreements
from handoffs.fidelity.probes import Probe, ask

ANCHOR_WEIGHT, TASK_WEIGHT, STATE_WEIGHT = 0.4, 0.4, 0.2
DISAGREEMENTS = 60  # that a report tells of
QUOTED = 50  # characters of what is missing that an issue quotes, as CONT-06 has it
ANCHOR, TASK, STATE = "Anchor", "Task", "State"


@span("continuity.validate")
def validate(
    expectation: Expectation,
    rendered: str,
    *,
    handoff_id: str,
    current: Sequence[Anchor] = (),
    probes: Sequence[Probe] = (),
    evidence: RawEvidence | None = None,
    repairs: int = 0,
) -> FidelityReport:
    """The report on the text of a directive: nothing counts but what it states.

    `current` are all current anchors, for the coverage that is reported and never gates, as are the answers to `probes`;
    `evidence` is what its lines are held against. Shares of nothing are 1.0.
    """
    stated = Stated(rendered)
    anchor_score, anchor_issues = _anchors(expectation, stated)
    task_score, task_issues = _tasks(expectation.open_tasks, stated)
    state_score, state_issues = _state(expectation.state, stated)
    told = claimed_lines(rendered) if evidence else ()
    wrong = disagreements(told, evidence) if evidence else ()
    covered = sum(1 for anchor in current if stated.states(anchor.text))
    return FidelityReport(
        handoff_id=handoff_id,
        anchor_preservation_score=anchor_score,
        task_preservation_score=task_score,
        state_preservation_score=state_score,
        overall_fidelity_score=round(ANCHOR_WEIGHT * anchor_score + TASK_WEIGHT * task_score + STATE_WEIGHT * state_score, 4),
        issues=(*anchor_issues, *task_issues, *state_issues),
        coverage=share(covered, max(expectation.current_anchors, len(current))),
        repairs=repairs,
        probes=ask(probes, rendered),
        agreement=agreement_of(told, wrong),
        disagreements=wrong[:DISAGREEMENTS],
    )


def share(part: float, whole: int) -> float:
    """The share of a whole, 0..1, four digits; of nothing everything is there."""
    return round(part / whole, 4) if whole else 1.0


def quoted(text: str) -> str:
    """The first 50 characters of a text in one line, with an ellipsis where there are more."""
    line = one_line(text)
    return line if len(line) <= QUOTED else f"{line[:QUOTED].rstrip()}…"


def _anchors(expectation: Expectation, stated: Stated) -> tuple[float, list[FidelityIssue]]:
    critical = {anchor.key for anchor in expectation.critical}
    held = {anchor.key: anchor for anchor in (*expectation.admitted, *expectation.critical)}
    missing = [anchor for anchor in held.values() if not stated.states(anchor.text)]
    return share(len(held) - len(missing), len(held)), [_anchor_issue(anchor, anchor.key in critical) for anchor in missing]


def _anchor_issue(anchor: Anchor, critical: bool) -> FidelityIssue:
    shown = quoted(anchor.text)
    if critical:
        advice = "Put the anchor back: critical anchors are never dropped"
        return FidelityIssue(ANCHOR, Severity.CRITICAL, f"Critical {anchor.type.value} anchor not preserved: {shown}", advice, anchor.key)
    return FidelityIssue(ANCHOR, Severity.WARNING, f"{anchor.type.value} anchor not preserved: {shown}", "Put the anchor back", anchor.key)


def _tasks(tasks: Sequence[Task], stated: Stated) -> tuple[float, list[FidelityIssue]]:
    """A task counts when its description and each of its remaining steps are stated."""
    issues: list[FidelityIssue] = []
    for task in tasks:
        lacking = [step for step in task.steps_left if not stated.states(step.strip(" .;"))]
        shown = quoted(task.description)
        if not stated.states(task.description):
            text = f"Open task not preserved: {shown}"
        elif lacking:
            text = f"{len(lacking)} of {len(task.steps_left)} remaining steps not preserved of: {shown}"
        else:
            continue
        issues.append(FidelityIssue(TASK, Severity.WARNING, text, "Put the task back, or raise the budget", task.key))
    return share(len(tasks) - len(issues), len(tasks)), issues


def _state(state: dict[str, str], stated: Stated) -> tuple[float, list[FidelityIssue]]:
    """Each known part counts by the share of its lines that are stated; only the modified files have several."""
    total, issues = 0.0, []
    for name, words in state.items():
        lines = words.split("\n")
        lacking = [line for line in lines if not stated.states(line)]
        total += 1 - len(lacking) / len(lines)
        if lacking:
            what = f"{len(lacking)} of {len(lines)} modified files" if len(lines) > 1 else quoted(lacking[0])
            description = f"State not preserved, {name.replace('_', ' ')}: {what}"
            issues.append(FidelityIssue(STATE, Severity.INFO, description, "Raise the budget", name))
    return share(total, len(state)), issues
