"""Units of work: requests, lists that tools keep, and what ends them."""

from __future__ import annotations

from typing import Any

import pytest

from continuity.knowledge.language.status import status_of
from continuity.knowledge.model import Task, TaskStatus
from tests.knowledge.talk import Distilled, agent, call, distil, harness, person, ran, result


def todos(*items: tuple[str, str]) -> dict[str, Any]:
    return {"todos": [{"content": text, "status": status} for text, status in items]}


def open_tasks(done: Distilled) -> list[Task]:
    return [t for t in done.knowledge.tasks if t.status is not TaskStatus.COMPLETED]


def test_it_works() -> None:
    done = distil(
        person("Add retries to the client"),
        call("TodoWrite", **todos(("Write test", "completed"), ("Add retry", "in_progress"), ("Document", "pending"))),
    )
    (task,) = done.knowledge.tasks
    assert (task.description, task.status) == ("Add retries to the client", TaskStatus.IN_PROGRESS)
    assert (task.steps_done, task.steps_left) == (("Write test",), ("Add retry", "Document"))
    assert task.progress == 33.3


def test_a_list_is_followed_to_its_end() -> None:
    first = call("TodoWrite", **todos(("a step", "pending"), ("b step", "pending")))
    last = call("TodoWrite", "c2", **todos(("a step", "completed"), ("b step", "completed")))
    done = distil(person("Migrate the shop to the new host"), first, last)
    (task,) = done.knowledge.tasks
    assert (task.status, task.progress, task.steps_left) == (TaskStatus.COMPLETED, 100.0, ())


def test_a_new_list_closes_the_one_that_its_tool_shows_no_longer() -> None:
    done = distil(
        person("Do the first job"),
        call("TodoWrite", **todos(("a step", "pending"))),
        agent("Stopping here."),
        person("Do the second job"),
        call("TodoWrite", "c2", **todos(("b step", "in_progress"))),
    )
    assert [(t.description, t.steps_left) for t in open_tasks(done)] == [("Do the second job", ("b step",))]


def test_codex_plans_are_lists_too() -> None:
    plan = [{"step": "Read", "status": "completed"}, {"step": "Write", "status": "in_progress"}]
    (task,) = distil(call("update_plan", plan=plan, explanation="Because")).knowledge.tasks
    assert (task.steps_done, task.steps_left, task.method) == (("Read",), ("Write",), "update_plan")


def test_a_markdown_list_argument_is_read() -> None:
    done = distil(person("Migrate the shop"), call("update_todo_list", todos="- [x] Read\n- [-] Write\n- [ ] Check"))
    (task,) = done.knowledge.tasks
    assert (task.steps_done, task.steps_left) == (("Read",), ("Write", "Check"))


def test_a_list_in_a_result_counts() -> None:
    data = {"newTodos": [{"content": "Write", "status": "pending"}]}
    (task,) = distil(call("Other"), result("ok", data=data)).knowledge.tasks
    assert task.steps_left == ("Write",)


def test_a_checklist_in_the_agents_words_is_a_list() -> None:
    done = distil(person("Migrate the shop"), agent("Plan:\n- [x] dump the data\n- [ ] load the data\n- [ ] switch over"))
    assert [t.steps_left for t in open_tasks(done)] == [("load the data", "switch over")]


def created(number: int, subject: str) -> tuple[Any, Any]:
    text = f"Task #{number} created successfully: {subject}"
    return call("TaskCreate", f"t{number}", subject=subject, description="why"), result(
        text, f"t{number}", data={"task": {"id": str(number), "subject": subject}}
    )


def test_tasks_with_ids_block_and_unblock_each_other() -> None:
    start = (
        *created(1, "Fix the parser"),
        *created(2, "Fix the printer"),
        call("TaskUpdate", "u1", taskId="2", addBlockedBy=["1"]),
        result("ok", "u1"),
    )
    by_id = {t.tool_id: t for t in distil(*start).knowledge.tasks}
    assert by_id["1"].description == "Fix the parser: why"
    assert (by_id["2"].status, by_id["2"].blocking_reason) == (TaskStatus.BLOCKED, "waits for task #1")
    end = (call("TaskUpdate", "u2", taskId="1", status="completed"), result("ok", "u2"))
    by_id = {t.tool_id: t for t in distil(*start, *end).knowledge.tasks}
    assert (by_id["1"].status, by_id["2"].status, by_id["2"].blocking_reason) == (TaskStatus.COMPLETED, TaskStatus.NOT_STARTED, "")


def test_a_deleted_task_is_not_offered() -> None:
    done = distil(*created(1, "Fix the parser"), call("TaskUpdate", "u1", taskId="1", status="deleted"))
    assert open_tasks(done) == []


def test_a_task_list_in_a_result_is_taken_over() -> None:
    data = {"tasks": [{"id": "1", "subject": "Fix the parser", "status": "in_progress", "blockedBy": []}]}
    (task,) = distil(call("TaskList"), result("…", data=data)).knowledge.tasks
    assert (task.tool_id, task.status) == ("1", TaskStatus.IN_PROGRESS)


def test_a_request_is_open_until_it_is_reported_done() -> None:
    asked = person("Rename the module to shop_core")
    assert [t.status for t in distil(asked).knowledge.tasks] == [TaskStatus.NOT_STARTED]
    working = (asked, *ran("mv shop.py shop_core.py"))
    assert [t.status for t in distil(*working).knowledge.tasks] == [TaskStatus.IN_PROGRESS]
    assert open_tasks(distil(*working, agent("Done. The module is renamed."))) == []


def test_work_that_goes_on_after_a_report_is_open_again() -> None:
    done = distil(person("Rename it everywhere"), *ran("mv a b"), agent("Done, renamed."), *ran("pytest", "1 failed", 1, "c2"))
    assert [t.status for t in open_tasks(done)] == [TaskStatus.IN_PROGRESS]


def test_a_request_that_waits_for_an_answer_says_so() -> None:
    done = distil(person("Choose a format for the export"), agent("Which one would you like, CSV or JSON?"))
    (task,) = open_tasks(done)
    assert (task.status, task.blocking_reason) == (TaskStatus.AWAITING_INPUT, "Which one would you like, CSV or JSON?")


def test_a_blocked_request_gives_its_reason() -> None:
    done = distil(person("Deploy it to staging"), *ran("kubectl get pods", "", 0), agent("I can't proceed without access to the cluster."))
    (task,) = open_tasks(done)
    assert (task.status, task.blocking_reason) == (TaskStatus.BLOCKED, "I can't proceed without access to the cluster.")


def test_an_interrupted_request_stays_open_beside_the_next() -> None:
    done = distil(
        person("Rename the module"),
        call("Bash", command="mv a b"),
        harness("[Request interrupted by user]"),
        person("Add the index to the users table"),
    )
    assert [t.description for t in open_tasks(done)] == ["Rename the module", "Add the index to the users table"]


def test_numbered_points_of_a_request_are_its_steps() -> None:
    done = distil(person("Please do this:\n1. Add the column\n2. Backfill it\n3. Drop the old one"))
    assert open_tasks(done)[0].steps_left == ("Add the column", "Backfill it", "Drop the old one")


def test_numbered_points_that_tell_what_the_person_saw_are_no_steps() -> None:
    done = distil(person("1. the file is not there until the first prompt\n2. I see the state change in it\nThe log says nothing though?"))
    assert [task.steps_left for task in open_tasks(done)] == [()]


def test_a_finished_request_is_never_offered_again() -> None:
    done = distil(
        person("Rename it"),
        *ran("mv a b"),
        agent("Done."),
        person("Now add the docs page"),
        *ran("touch d.md", call_id="c2"),
        agent("Added."),
    )
    assert open_tasks(done) == []


def test_open_tasks_are_bounded() -> None:
    many = [m for i in range(700) for m in created(i, f"Subject number {i}")]
    assert len(distil(*many).state.tasks) <= 500


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("I'm working on the importer", TaskStatus.IN_PROGRESS),
        ("Blocked by the missing credentials", TaskStatus.BLOCKED),
        ("It can't proceed without the key", TaskStatus.BLOCKED),
        ("Waiting for the review", TaskStatus.BLOCKED),
        ("Should I delete the old table?", TaskStatus.AWAITING_INPUT),
        ("Please confirm the name", TaskStatus.AWAITING_INPUT),
        ("Almost done, just need to update the docs", TaskStatus.NEAR_COMPLETION),
        ("The sky is blue", None),
    ],
)
def test_status_cues(text: str, status: TaskStatus | None) -> None:
    assert status_of(text) is status


def test_a_remark_sets_no_work() -> None:
    assert distil(person("this is terrible.")).knowledge.tasks == ()


def listed(number: int, subject: str, status: str = "") -> list[Any]:
    messages = [call("TaskCreate", f"n{number}", subject=subject), result(f"Task #{number} created successfully: {subject}", f"n{number}")]
    if status:
        messages += [call("TaskUpdate", f"u{number}", taskId=str(number), status=status), result("Updated", f"u{number}")]
    return messages


PLAN = (
    "Please do this:\n\n1. Types (`ledger.py`) — all others need them\n2. Engine rewrite in four phases\n"
    + "3. Frontend types\n4. Run `make test`"
)


def test_the_steps_of_a_request_are_done_with_the_tasks_that_do_them() -> None:
    talk = [
        person(PLAN),
        *listed(1, "Update shared types (ledger.py)", "completed"),
        *listed(2, "Rewrite engine with four phases", "completed"),
    ]
    (request,) = [task for task in open_tasks(distil(*talk)) if task.method == "request"]

    assert request.steps_done == ("Types (`ledger.py`) — all others need them", "Engine rewrite in four phases")
    assert request.steps_left == ("Frontend types", "Run `make test`")


@pytest.mark.parametrize(
    ("told", "left"),
    [("All 2 tasks completed.", 0), ("All tasks are done.", 0), ("All 1 tasks completed.", 2), ("Not all tasks are done.", 2)],
)
def test_all_tasks_told_to_be_done_are_done(told: str, left: int) -> None:
    talk = [person("Go."), *listed(1, "Write the parser"), *listed(2, "Wire the parser in"), agent(f"Shipped.\n\n- {told}")]
    assert len([task for task in open_tasks(distil(*talk)) if task.tool_id]) == left


def test_steps_done_stay_done_when_a_request_is_taken_up_again() -> None:
    done = listed(1, "Update shared types (ledger.py)", "completed")
    report = agent("All done. The types are updated and every test passes now, and the engine follows the four phases.")
    (request,) = [t for t in open_tasks(distil(person(PLAN), *done, report, *ran("ls", call_id="x"))) if t.method == "request"]

    assert request.steps_done == ("Types (`ledger.py`) — all others need them",)
    assert len(request.steps_left) == 3


def test_a_labelled_item_of_a_request_is_no_step() -> None:
    decided = "Please build it.\n\n- **Plan format**: markdown, not JSON\n- **Plan storage**: in the journal table\n- Add the import"
    assert [task.steps_left for task in open_tasks(distil(person(decided)))] == [()]
