"""Prepare, validate and repair together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.model import AnchorType, Task, TaskStatus
from handoffs.building.preparation import REPAIRS
from handoffs.contract.model import Severity, Style
from tests.packages.samples import ANCHORS, KNOWLEDGE, anchor, crowded, prepared


def test_it_works() -> None:
    made = prepared()

    assert made.report.passes_threshold
    assert made.report.repairs == 0
    assert made.package.anchors == ANCHORS


@pytest.mark.parametrize("style", list(Style))
@pytest.mark.parametrize("budget", [150, 500, 2000])
def test_cont06_every_critical_anchor_is_preserved_at_every_budget(style: Style, budget: int) -> None:
    made = prepared(crowded(300, critical=40), style=style, budget=budget)

    assert not [issue for issue in made.report.issues if issue.severity is Severity.CRITICAL]
    assert made.report.anchor_preservation_score == 1.0


@pytest.mark.parametrize("style", list(Style))
@pytest.mark.parametrize("budget", [150, 300, 1000, 4000])
def test_cont06_the_score_of_every_valid_handoff_is_at_least_085(style: Style, budget: int) -> None:
    for knowledge in (KNOWLEDGE, crowded(100, critical=10)):
        report = prepared(knowledge, style=style, budget=budget).report
        assert report.passes_threshold is (report.overall_fidelity_score >= 0.85)


def test_a_critical_anchor_held_by_a_line_that_had_to_go_comes_back() -> None:
    """The words of a critical anchor also are the latest request, which a very small budget drops."""
    rule = anchor(AnchorType.CONSTRAINT, "Now switch the trigger over and tell me when the tests pass.", 17)
    steps = tuple(f"a step of the long plan with number {n}" for n in range(30))
    task = Task("long", "Carry out the long plan", TaskStatus.IN_PROGRESS, 1, 2, "todo", steps_left=steps)
    made = prepared(replace(KNOWLEDGE, anchors=(rule,), tasks=(task,)), budget=400)

    assert rule.text in made.text
    assert made.report.anchor_preservation_score == 1.0


def test_open_tasks_that_do_not_fit_are_reported_and_not_passed_over() -> None:
    tasks = tuple(
        Task(f"t{n}", f"Rework part number {n} of the importer for customers abroad", TaskStatus.NOT_STARTED, n, n, "todo")
        for n in range(40)
    )
    made = prepared(replace(KNOWLEDGE, tasks=tasks), budget=300)

    assert not made.report.passes_threshold
    assert made.report.task_preservation_score < 1.0
    assert {issue.component for issue in made.report.issues} >= {"Task"}
    assert made.report.repairs <= REPAIRS


def test_coverage_tells_how_much_of_everything_known_is_in() -> None:
    small, large = prepared(crowded(300), budget=1000).report, prepared(crowded(300), budget=50_000).report

    assert 0 < small.coverage < large.coverage == 1.0
