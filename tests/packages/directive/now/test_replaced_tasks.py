"""Tasks of a list that another list replaced, and commands that only the tool answers: neither is open."""

from __future__ import annotations

from continuity.transcripts.base.model import Message
from continuity.transcripts.injected_texts import is_injected
from tests.knowledge.talk import CWD, agent, call, distil, person, ran, result
from tests.packages.samples import prepared


def todos(number: int, *items: tuple[str, str]) -> tuple[Message, ...]:
    listed = [{"content": text, "activeForm": text, "status": status} for text, status in items]
    return call("TodoWrite", f"l{number}", todos=listed), result("Todos have been modified successfully", f"l{number}")


def edit(path: str) -> tuple[Message, ...]:
    return call("Edit", "e1", file_path=f"{CWD}/{path}", old_string="a = 1", new_string="a = 2"), result("Updated.", "e1")


NEXT = agent("I need to update `TestNone` to expect the new answer.")
FIRST = todos(1, ("Walk the branch for the checkpoint", "completed"), ("Run tests to verify the fix", "in_progress"))
LATER = todos(2, ("Walk the branch for the checkpoint", "completed"), ("Run tests and lint to verify the fix", "in_progress"))


def told(*messages: Message | tuple[Message, ...]) -> str:
    asked = person("Look for the checkpoint in the commits that are only on the branch.")
    return prepared(distil(asked, edit("resume.go"), *messages).knowledge).text


def test_it_works() -> None:
    text = told(FIRST, edit("resume_test.go"), LATER, ran("make lint", "0 issues."), NEXT)
    assert "in progress: Run tests to verify the fix" not in text
    assert "Task in progress: Run tests and lint to verify the fix" in text


def test_a_task_that_its_list_still_has_is_in_progress() -> None:
    assert "Task in progress: Run tests to verify the fix" in told(FIRST, edit("resume_test.go"), NEXT)


def test_a_task_in_progress_whose_names_were_written_says_so() -> None:
    listed = todos(1, ("Write compute_lanes", "in_progress"), ("Deploy it", "pending"))
    written = call("Edit", "e2", file_path=f"{CWD}/lanes.py", old_string="a = 1", new_string="def compute_lanes(): ..."), result("ok", "e2")
    assert "Task in progress: Write compute_lanes (written since)" in told(listed, written, NEXT)
    assert "Task in progress: Write compute_lanes [" in told(listed, edit("lanes.py"), NEXT)


def test_a_command_that_the_tool_answers_itself_is_no_request() -> None:
    told = "<command-name>/{}</command-name>\n<command-message>{}</command-message>\n<command-args></command-args>"
    assert is_injected(told.format("release-notes", "release-notes"))
    assert not is_injected(told.format("review-shop", "review-shop"))


def test_a_list_after_one_that_is_done_is_of_the_next_request() -> None:
    first = ("Read the till's log", "Test the changes")
    second = ("Show the day in the list", "Test the changes")
    known = distil(
        person("Please read the till's log at start."),
        todos(1, (first[0], "in_progress"), (first[1], "pending")),
        edit("till.py"),
        todos(2, (first[0], "completed"), (first[1], "in_progress")),
        todos(3, (first[0], "completed"), (first[1], "completed")),
        agent("The log is read at start."),
        person("Please show the day in the list, too."),
        todos(4, (second[0], "in_progress"), (second[1], "pending")),
        edit("list.py"),
        todos(5, (second[0], "completed"), (second[1], "in_progress")),
        agent("Now I run them."),
    ).knowledge
    steps = {task.description: (task.steps_done, task.steps_left) for task in known.tasks if task.steps_done}
    assert steps == {
        "Please read the till's log at start.": (first, ()),
        "Please show the day in the list, too.": ((second[0],), (second[1],)),
    }
    assert [(part.title, part.state.value) for part in known.situation.parts if part.title == "Test the changes"] == [
        ("Test the changes", "done"),
        ("Test the changes", "in progress"),
    ]


def test_a_list_that_is_done_is_told_once() -> None:
    text = told(
        todos(1, ("Walk the branch", "in_progress"), ("Tell the day", "pending")),
        todos(2, ("Walk the branch", "completed"), ("Tell the day", "completed")),
        agent("Done."),
    )
    assert text.count("Walk the branch") == 1
