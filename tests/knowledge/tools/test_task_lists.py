"""Lists that people and agents write, and that tools keep: each item is a task."""

from __future__ import annotations

from typing import Any

import pytest

from continuity.knowledge.model import Task, TaskStatus
from tests.knowledge.talk import Distilled, agent, call, distil, person, ran


def todos(*items: tuple[str, str]) -> dict[str, Any]:
    return {"todos": [{"content": text, "status": status} for text, status in items]}


def open_tasks(done: Distilled) -> list[Task]:
    return [t for t in done.knowledge.tasks if t.status is not TaskStatus.COMPLETED]


DONE, OPEN, GOING = TaskStatus.COMPLETED, TaskStatus.NOT_STARTED, TaskStatus.IN_PROGRESS
THREE = ["Review the budget", "Book the venue", "Send the invitations"]


@pytest.mark.parametrize("message", [
    person("Here is the todo list:\n- [ ] Review the budget\n- [ ] Book the venue\n- [ ] Send the invitations"),
    person("TODO:\n- Review the budget\n- Book the venue\n- Send the invitations"),
    person("My to-do list\n\n1. Review the budget\n2. Book the venue\n3. Send the invitations"),
    agent("Here is the todo list:\n- [ ] Review the budget\n- [ ] Book the venue\n- [ ] Send the invitations"),
    call("TodoWrite", **todos(*((text, "pending") for text in THREE))),
])  # fmt: skip
def test_it_works(message: Any) -> None:
    assert {task.description: task.status for task in open_tasks(distil(message))} == dict.fromkeys(THREE, OPEN)


def test_the_tasks_of_a_list_close_one_by_one() -> None:
    asked = person("My todo list:\n- [x] Review the plan\n- [ ] Create the table\n- [ ] Remove the old page\n- [ ] Order the cake")
    one = distil(asked, *ran("make table"), agent("I've created the table, it has five columns."))
    assert {task.description for task in open_tasks(one)} == {"Remove the old page", "Order the cake"}
    words = agent("- [x] Remove the old page\n- [ ] Order the cake")
    two = distil(asked, *ran("make table"), agent("I've created the table, it has five columns."), words)
    assert [task.description for task in open_tasks(two)] == ["Order the cake"]
    assert open_tasks(distil(asked, *ran("make all"), agent("Done, everything is finished."))) == []
    assert len(open_tasks(distil(asked, agent("Got it, I've added them to my notes.")))) == 3


def test_a_todo_tools_list_is_followed_task_by_task() -> None:
    first = call("TodoWrite", **todos(*((text, "pending") for text in THREE)))
    later = call("TodoWrite", "c2", **todos((THREE[0], "completed"), (THREE[1], "in_progress"), (THREE[2], "pending")))
    assert {task.description: task.status for task in distil(first, later).knowledge.tasks} == dict(
        zip(THREE, (DONE, GOING, OPEN), strict=True)
    )


def test_what_a_person_ticked_off_is_done() -> None:
    (task,) = distil(person("Please do these:\n- [x] create the table\n- [ ] write the import\n- [ ] add tests")).knowledge.tasks
    assert (task.steps_done, task.steps_left, task.progress) == (("create the table",), ("write the import", "add tests"), 33.3)
