from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.model import Anchor, AnchorType, Task, TaskStatus
from handoffs.contract.model import Expectation, FidelityReport, Severity
from handoffs.fidelity.scores import validate
from tests.packages.samples import ANCHORS, TASKS, anchor, prepared

DECISION = anchor(AnchorType.DECISION, "Use PostgreSQL", 5)
COMMITMENT = anchor(AnchorType.COMMITMENT, "Deliver by Friday", 10)
FACT = anchor(AnchorType.FACT, "The port is 8091", 11)


def expectation(*anchors: Anchor, tasks: tuple[Task, ...] = (), state: dict[str, str] | None = None) -> Expectation:
    return Expectation(anchors, tuple(a for a in anchors if a.critical), tasks, state or {}, len(anchors))


def checked(text: str, *anchors: Anchor, tasks: tuple[Task, ...] = (), state: dict[str, str] | None = None) -> FidelityReport:
    return validate(expectation(*anchors, tasks=tasks, state=state), text, handoff_id="h")


def test_it_works() -> None:
    report = checked("- Use PostgreSQL [a1]\n- Deliver by Friday [a2]", DECISION, COMMITMENT)

    assert report.overall_fidelity_score == 1.0
    assert report.passes_threshold


def test_cont06_validate_fails_when_critical_anchor_missing() -> None:
    report = checked("- Use PostgreSQL [a1]", DECISION, COMMITMENT)

    assert not report.passes_threshold
    assert any(issue.severity is Severity.CRITICAL for issue in report.issues)
    assert report.anchor_preservation_score == 0.5


def test_cont06_validate_passes_with_all_critical_anchors_preserved() -> None:
    report = prepared().report

    assert report.passes_threshold
    assert report.anchor_preservation_score == 1.0


def test_cont06_fidelity_validation_detects_missing_decision_anchor() -> None:
    text = prepared().text.replace("We keep invoices in PostgreSQL.", "")
    report = validate(expectation(*ANCHORS), text, handoff_id="h")
    (issue,) = [issue for issue in report.issues if issue.severity is Severity.CRITICAL]

    assert issue.component == "Anchor"
    assert issue.description == "Critical Decision anchor not preserved: We keep invoices in PostgreSQL."
    assert issue.recommendation
    assert not report.passes_threshold


def test_a_critical_anchor_missing_fails_even_where_the_score_is_high() -> None:
    facts = [anchor(AnchorType.FACT, f"Fact number {n} holds", n) for n in range(99)]
    report = checked("\n".join(fact.text for fact in facts), *facts, DECISION)

    assert report.overall_fidelity_score > 0.95
    assert not report.passes_threshold


def test_a_missing_anchor_that_is_not_critical_is_a_warning() -> None:
    report = checked("Use PostgreSQL", DECISION, FACT)

    assert [(issue.severity, issue.key) for issue in report.issues] == [(Severity.WARNING, FACT.key)]
    assert report.anchor_preservation_score == 0.5


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Move the billing job to the new scheduler — left: switch the trigger over; remove the old cron entry", 1.0),
        ("Move the billing job to the new scheduler — left: switch the trigger over", 0.0),
        ("switch the trigger over; remove the old cron entry", 0.0),
        ("", 0.0),
    ],
)
def test_a_task_counts_with_all_its_remaining_steps(text: str, score: float) -> None:
    assert checked(text, tasks=(TASKS[0],)).task_preservation_score == score


def test_a_missing_step_is_named_as_such() -> None:
    report = checked("Move the billing job to the new scheduler: switch the trigger over", tasks=(TASKS[0],))

    assert report.issues[0].description == "1 of 2 remaining steps not preserved of: Move the billing job to the new scheduler"


def test_state_counts_by_its_known_parts_and_files_by_their_share() -> None:
    state = {"cwd": "/srv/billing", "branch": "main", "modified_files": "a.py\nb.py\nc.py\nd.py"}
    report = checked("in /srv/billing, a.py, b.py, c.py", state=state)

    assert report.state_preservation_score == round((1 + 0 + 0.75) / 3, 4)
    assert {issue.severity for issue in report.issues} == {Severity.INFO}


def test_the_overall_score_weighs_anchors_and_tasks_double() -> None:
    task = Task("t", "Ship it", TaskStatus.IN_PROGRESS, 1, 1, "todo")

    def overall(text: str) -> float:
        return checked(text, FACT, tasks=(task,), state={"branch": "main"}).overall_fidelity_score

    assert overall("Ship it on main") == 0.6
    assert overall("The port is 8091, on main") == 0.6
    assert overall("The port is 8091. Ship it") == 0.8


def test_nothing_to_state_is_perfect() -> None:
    report = checked("")

    assert report.overall_fidelity_score == report.coverage == 1.0
    assert report.passes_threshold


@pytest.mark.parametrize(("stated", "passes"), [(17, False), (18, True)])
def test_cont06_the_threshold_is_85_percent(stated: int, passes: bool) -> None:
    facts = [anchor(AnchorType.FACT, f"Fact number {n} holds", n) for n in range(20)]
    tasks = tuple(Task(f"t{n}", f"Work on part {n}", TaskStatus.NOT_STARTED, 1, 1, "todo") for n in range(4))
    text = "\n".join([*(fact.text for fact in facts[:stated]), *(task.description for task in tasks[:3])])
    report = checked(text, *facts, tasks=tasks)

    assert report.overall_fidelity_score == round(0.4 * stated / 20 + 0.4 * 0.75 + 0.2, 4)
    assert report.passes_threshold is passes


def test_coverage_of_all_current_anchors_is_reported_and_does_not_gate() -> None:
    wanted = replace(expectation(DECISION), current_anchors=4)
    report = validate(wanted, "Use PostgreSQL", handoff_id="h", current=(DECISION, FACT))

    assert report.coverage == 0.25
    assert report.passes_threshold
