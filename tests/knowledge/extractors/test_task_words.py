"""What agents say about how far they are: nearly done, done, blocked."""

from __future__ import annotations

from typing import Any

import pytest

from continuity.knowledge.model import Task, TaskStatus
from tests.knowledge.talk import Distilled, agent, call, distil, person, ran


def todos(*items: tuple[str, str]) -> dict[str, Any]:
    return {"todos": [{"content": text, "status": status} for text, status in items]}


def open_tasks(done: Distilled) -> list[Task]:
    return [t for t in done.knowledge.tasks if t.status is not TaskStatus.COMPLETED]


DONE = TaskStatus.COMPLETED


@pytest.mark.parametrize(("words", "left"), [
    ("Almost done, I just need to update the docs.", "update the docs"),
    ("Nearly finished. The docs are left.", "The docs"),
    ("I'm almost finished with the page; only the tests remain.", "the tests"),
    ("The page is implemented and tested; I just need to push it.", "push it"),
    ("I've finished the page. All that remains is updating the docs.", "updating the docs"),
    ("Done with the page. Final step: update the changelog.", "update the changelog"),
])  # fmt: skip
@pytest.mark.parametrize("more", [(), (call("Bash", "c9", command="make"),)])
def test_it_works(words: str, left: str, more: tuple[Any, ...]) -> None:
    done = distil(person("Add a login page to the shop"), *ran("touch login.py"), agent(words), *more)
    (task,) = done.knowledge.tasks
    assert (task.status, task.steps_left) == (TaskStatus.NEAR_COMPLETION, (left,))
    assert done.knowledge.situation.waiting is False


def test_what_was_nearly_done_is_done_when_that_is_told() -> None:
    rest = (
        agent("Almost done, I just need to update the docs."),
        *ran("touch docs.md", call_id="c2"),
        agent("Done, the docs are updated."),
    )
    (task,) = distil(person("Add a login page to the shop"), *ran("touch login.py"), *rest).knowledge.tasks
    assert (task.status, task.steps_done) == (DONE, ("update the docs",))


@pytest.mark.parametrize("words", [
    "Done, all tests pass. You just need to restart the server.",
    "The page is finished. If it is almost done loading, wait a second.",
    "Finished: the page is added and works.",
])  # fmt: skip
def test_what_is_done_is_not_nearly_done(words: str) -> None:
    (task,) = distil(person("Add a login page to the shop"), *ran("touch login.py"), agent(words)).knowledge.tasks
    assert task.status is DONE


@pytest.mark.parametrize("words", [
    "I'm waiting for the API key, I can't proceed.", "I'm waiting for the design team's answer.", "I can't continue without the API key.",
])  # fmt: skip
@pytest.mark.parametrize("before", [(), ran("touch login.py")])
def test_who_waits_and_cannot_go_on_is_blocked_for_that_reason(words: str, before: tuple[Any, ...]) -> None:
    (task,) = distil(person("Add a login page to the shop"), *before, agent(words)).knowledge.tasks
    assert (task.status, task.blocking_reason) == (TaskStatus.BLOCKED, words)


def test_who_waits_for_their_own_run_is_not_blocked() -> None:
    (task,) = distil(person("Add a login page"), *ran("touch a.py"), agent("I'm waiting for the test run to finish.")).knowledge.tasks
    assert task.status is not TaskStatus.BLOCKED
