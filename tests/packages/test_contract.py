from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import pytest

from continuity.knowledge.model import Task, TaskStatus
from handoffs.contract.model import Style
from handoffs.contract.package_json import from_contract, to_contract
from tests.packages.samples import ANCHORS, KNOWLEDGE, NOW, TASKS, crowded, prepared

MINIMAL = {
    "handoffId": "h",
    "conversationId": "c",
    "compactedSummary": "Some work was done.",
    "preservedAnchors": [{"key": "k", "type": "Decision", "originalContent": "Use PostgreSQL."}],
    "unfinishedWork": [
        {
            "taskId": "t",
            "description": "Ship it",
            "status": "InProgress",
            "completedSteps": [],
            "remainingSteps": ["push"],
            "progressPercentage": 0,
        }
    ],
    "state": {
        "variables": {"objective": "Ship"},
        "activeFiles": ["a.py"],
        "recentCommands": ["ls"],
        "currentWorkingDirectory": "/w",
        "activeBranch": "main",
    },
    "metadata": {"createdAt": NOW.isoformat(), "originalTokenCount": 100, "compactedTokenCount": 10, "triggerReason": "Manual"},
}


def document() -> dict[str, Any]:
    made = prepared()
    return to_contract(made.package, made.report)


def test_it_works() -> None:
    made = prepared()

    assert from_contract(json.loads(json.dumps(to_contract(made.package, made.report)))) == made.package


def test_cont01_session_handoff_contains_all_required_data() -> None:
    raw = document()

    assert raw["compactedSummary"]
    assert "We keep invoices in PostgreSQL." in [a["originalContent"] for a in raw["preservedAnchors"] if a["type"] == "Decision"]
    assert [task["description"] for task in raw["unfinishedWork"]] == ["Move the billing job to the new scheduler", "Document the rollback"]
    assert raw.keys() >= {"handoffId", "conversationId", "state", "metadata", "directive"}
    assert raw["metadata"] == {
        "createdAt": "2026-03-01T12:00:00+00:00",
        "originalTokenCount": 52_000,
        "compactedTokenCount": prepared().package.plan.used,
        "compressionRatio": round(52_000 / prepared().package.plan.used, 4),
        "triggerReason": "Manual",
    }


def test_cont01_pending_task_tracks_progress() -> None:
    (task,) = [task for task in document()["unfinishedWork"] if task["taskId"] == "task-a"]

    assert task["progressPercentage"] == 60
    assert len(task["completedSteps"]) == 3
    assert len(task["remainingSteps"]) == 2
    assert task["status"] == "InProgress"


def test_cont01_session_state_captures_working_context() -> None:
    state = document()["state"]

    changed = ("jobs/nightly.py", "migrations/0007_invoices.sql", "cron/billing.cron")
    assert state["activeFiles"] == [f"/srv/billing/{path}" for path in changed]
    assert state["recentCommands"] == ["pytest tests/jobs -q", "git status --short"]
    assert (state["currentWorkingDirectory"], state["activeBranch"]) == ("/srv/billing", "feature/scheduler")
    assert state["variables"]["waitingForUser"] is False


@pytest.mark.parametrize("style", list(Style))
@pytest.mark.parametrize("budget", [150, 1000, 200_000])
def test_cont01_all_models_round_trip_through_json(style: Style, budget: int) -> None:
    for knowledge in (KNOWLEDGE, crowded(60, critical=5)):
        package = prepared(knowledge, style=style, budget=budget, note="with a note").package

        assert from_contract(json.loads(json.dumps(to_contract(package)))) == package


@pytest.mark.parametrize("status", list(TaskStatus))
def test_every_status_of_a_task_round_trips(status: TaskStatus) -> None:
    task = Task("t", "Do it", status, 1, 2, "todo", ("a",), ("b",), blocking_reason="waits for a key")
    package = prepared(replace(KNOWLEDGE, tasks=(task,))).package

    assert from_contract(to_contract(package)).tasks == (task,)


def test_a_package_of_another_maker_needs_only_the_fields_of_cont01() -> None:
    package = from_contract(MINIMAL)

    assert package.anchors[0].text == "Use PostgreSQL."
    assert package.tasks[0].steps_left == ("push",)
    assert (package.situation.cwd, package.situation.branch) == ("/w", "main")
    assert package.situation.objective is not None
    assert package.directive.summary == "Some work was done."


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("handoffId", None),
        ("conversationId", 5),
        ("compactedSummary", ["a"]),
        ("version", 99),
        ("preservedAnchors", "all"),
        ("preservedAnchors[0].type", "Guess"),
        ("preservedAnchors[0].originalContent", None),
        ("preservedAnchors[0].importance", float("nan")),
        ("preservedAnchors[0].critical", "yes"),
        ("unfinishedWork[1].status", "Sleeping"),
        ("unfinishedWork[0].remainingSteps[1]", 7),
        ("metadata", None),
        ("metadata.createdAt", "yesterday"),
        ("metadata.createdAt", "2026-03-01T12:00:00"),
        ("metadata.originalTokenCount", "many"),
        ("directive.immediateActions", 1),
        ("files[0].action", "eaten"),
        ("sections[0].kind", "poems"),
        ("situation.waiting", "maybe"),
        ("plan.bySection.goal", "x"),
        ("options.style", "loud"),
    ],
)
def test_a_bad_field_is_refused_by_its_name(path: str, value: object) -> None:
    raw = copy.deepcopy(document())
    target: Any = raw
    *parents, last = path.replace("[", ".[").split(".")
    for name in parents:
        target = target[int(name[1:-1])] if name.startswith("[") else target[name]
    target[int(last[1:-1]) if last.startswith("[") else last] = value

    with pytest.raises(ValueError) as refusal:
        from_contract(raw)

    assert str(refusal.value).startswith(f"{path}: ")


@pytest.mark.parametrize("raw", [None, [], "text", 5])
def test_what_is_no_object_is_refused(raw: object) -> None:
    with pytest.raises(ValueError, match=r"^package: must be an object"):
        from_contract(raw)


def test_anchors_keep_their_source_and_truth() -> None:
    assert from_contract(document()).anchors == tuple(anchor for anchor in ANCHORS)
    assert [task.key for task in from_contract(document()).tasks] == [task.key for task in TASKS]
