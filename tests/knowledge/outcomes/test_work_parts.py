"""The parts of the work: tasks of trackers and lists with their outcome, else commits."""

from __future__ import annotations

import json

import pytest

from continuity.knowledge.evidence import MadeOutside, PartState, WorkPart
from continuity.knowledge.model import TaskStatus
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, call, distil, person, ran, result

ASKED = person("Work on this epic.")


def parts(*messages: Message | tuple[Message, ...]) -> list[WorkPart]:
    return list(distil(ASKED, *messages).knowledge.situation.parts)


def edited(path: str) -> tuple[Message, Message]:
    return call("Edit", f"e-{path}", file_path=path, old_string="a", new_string="b"), result("ok", f"e-{path}")


def created(id: str, subject: str, description: str = "") -> tuple[Message, Message]:
    return call("TaskCreate", f"t{id}", subject=subject, description=description), result(
        f"Task #{id} created successfully: {subject}", f"t{id}"
    )


def updated(id: str, status: str) -> tuple[Message, Message]:
    return call("TaskUpdate", f"u{id}{status}", taskId=id, status=status), result(f"Updated task #{id} status", f"u{id}{status}")


def test_it_works() -> None:
    found = parts(
        created("1", "Sum the items", "Totals must be exact."), created("2", "Add the tax"), updated("1", "in_progress"),
        edited("src/cart.py"),
        ran("pytest -q", "3 passed"), agent("The total is exact now and all tests pass."), updated("1", "completed"),
        ran("git commit -am x", "[main abc1234] Sum the items"), updated("2", "in_progress"), edited("src/tax.py"),
    )  # fmt: skip
    by_id = {part.id: part for part in found}
    first, second = by_id["1"], by_id["2"]
    assert (first.state, first.wanted, first.files) == (PartState.DONE, "Totals must be exact.", ("src/cart.py",))
    assert (first.commits, first.check) == (("abc1234 Sum the items",), "`pytest -q` passed: 3 passed")
    assert first.closing == "The total is exact now and all tests pass."
    assert (second.state, second.files, second.commits) == (PartState.IN_PROGRESS, ("src/tax.py",), ())


def test_a_commit_closes_the_files_that_it_took() -> None:
    found = parts(
        edited("src/cart.py"), edited("deploy.yml"), ran("git commit -m x deploy.yml", "[main abc1234] Deploy it\n 1 file changed"),
        ran("git commit -am y", "[main def5678] Sum the items\n 1 file changed"),
    )  # fmt: skip
    assert [(part.title, part.files) for part in found] == [("Deploy it", ("deploy.yml",)), ("Sum the items", ("src/cart.py",))]


def test_what_is_done_without_tasks_is_cut_by_commits() -> None:
    found = parts(
        edited("src/cart.py"), agent("The total adds up now."), ran("git commit -am x", "[main abc1234] Sum the items"),
        edited("src/tax.py"), ran("git commit -am y", "[main def5678] Add the tax"), edited("src/new.py"),
    )  # fmt: skip
    assert [(part.title, part.state.value, part.files) for part in found] == [
        ("Sum the items", "done", ("src/cart.py",)), ("Add the tax", "done", ("src/tax.py",)), ("", "in progress", ("src/new.py",)),
    ]  # fmt: skip
    assert found[0].closing == "The total adds up now."


def test_an_amended_commit_is_the_same_part() -> None:
    found = parts(
        edited("src/cart.py"), ran("git commit -am x", "[main abc1234] Sum"), edited("src/tax.py"),
        ran("git commit -a --amend --no-edit", "[main def5678] Sum"),
    )  # fmt: skip
    assert [(part.commits, part.files) for part in found] == [(("def5678 Sum",), ("src/cart.py", "src/tax.py"))]


def test_the_items_of_a_todo_list() -> None:
    def todo(first: str, second: str) -> tuple[Message, Message]:
        items = [{"content": "Sum the items", "status": first}, {"content": "Add the tax", "status": second}]
        return call("TodoWrite", f"{first}{second}", todos=items), result("ok", f"{first}{second}")

    found = parts(todo("in_progress", "pending"), edited("src/cart.py"), todo("completed", "in_progress"), edited("src/tax.py"))
    assert [(part.title, part.state.value, part.files) for part in found] == [
        ("Sum the items", "done", ("src/cart.py",)), ("Add the tax", "in progress", ("src/tax.py",)),
    ]  # fmt: skip


def test_a_question_or_an_announcement_closes_nothing() -> None:
    found = parts(
        created("1", "Sum"), updated("1", "in_progress"), agent("Let me look at it."), updated("1", "completed"), agent("What is next?")
    )
    assert found[0].closing == ""


BEADS_SHOWN = "◐ bd-a1 · Sum the items   [● P2 · OPEN]\nOwner: Ada\n\nDESCRIPTION\nTotals must be exact.\n"


@pytest.mark.parametrize(("command", "output", "expected"), [
    ("bd create 'Sum the items' -d 'Exact.' -p 1", "✓ Created issue: bd-a1 — Sum the items", ("bd-a1", "Sum the items", "open", "Exact.")),
    ("bd show bd-a1", BEADS_SHOWN, ("bd-a1", "Sum the items", "open", "Totals must be exact.")),
    ("bd update bd-a1 --status in_progress", "✓ Updated issue: bd-a1 — Sum the items", ("bd-a1", "Sum the items", "in progress", "")),
    ("bd close bd-a1 --reason='it adds up'", "✓ Closed bd-a1 — Sum the items: it adds up", ("bd-a1", "Sum the items", "done", "")),
    ("bd show bd-a1 --json", '[{"id": "bd-a1", "title": "Sum", "status": "closed", "description": "D"}]', ("bd-a1", "Sum", "done", "D")),
    ("gh issue create --title Sum --body Exact", "https://github.com/ada/shop/issues/7", ("#7", "Sum", "open", "Exact")),
    ("gh issue view 7", "title:\tSum\nstate:\tOPEN\n--\nTotals must be exact.", ("#7", "Sum", "open", "Totals must be exact.")),
])  # fmt: skip
def test_trackers(command: str, output: str, expected: tuple[str, ...]) -> None:
    done = distil(ASKED, ran(command, output)).knowledge
    assert [(part.id, part.title, part.state.value, part.wanted) for part in done.situation.parts] == [expected]
    assert [task.tool_id for task in done.tasks if task.tool_id] == [expected[0]]


def test_several_are_closed_at_once() -> None:
    made = [ran(f"bd create 'Task {n}'", f"✓ Created issue: bd-a{n}", call_id=f"m{n}") for n in range(3)]
    done = distil(ASKED, *made, ran("bd close bd-a0 bd-a1 bd-a2 --reason done", "ok")).knowledge
    assert [part.state for part in done.situation.parts] == [PartState.DONE] * 3
    assert {task.status for task in done.tasks if task.tool_id} == {TaskStatus.COMPLETED}


def test_a_tracker_behind_mcp() -> None:
    text = json.dumps(
        {"identifier": "ENG-12", "title": "Sum", "description": "Exact", "status": "Todo", "url": "https://linear.app/a/issue/ENG-12/sum"}
    )
    done = distil(ASKED, call("mcp__linear-server__create_issue", title="Sum"), result(text)).knowledge.situation
    assert [(part.id, part.title, part.wanted) for part in done.parts] == [("ENG-12", "Sum", "Exact")]
    assert done.made == (MadeOutside("issue", "ENG-12", 3, "https://linear.app/a/issue/ENG-12/sum"),)


@pytest.mark.parametrize(("command", "output", "code"), [
    ("bd update --help", "Update one or more issues.", 0), ("bd list", "○ bd-z9: Something else\n", 0),
    ("bd close bd-a1", "no such issue", 1),
    ("gh issue view 7 --repo other/one --json title", '{"title": "x"}', 0), ("echo bd close bd-a1", "bd-a1: x", 0),
])  # fmt: skip
def test_what_is_no_part_of_the_work(command: str, output: str, code: int) -> None:
    assert parts(ran(command, output, code)) == []


def test_they_are_bounded() -> None:
    many = [
        message
        for n in range(80)
        for message in (*created(str(n), f"Task {n} " * 30, "words " * 300), *updated(str(n), "in_progress"), *edited(f"a{n}.py"))
    ]
    found = parts(*many)
    assert 8 <= len(found) <= 24
    assert len(json.dumps([[part.title, part.wanted, part.files, part.closing] for part in found])) <= 12_000


def test_a_task_that_an_earlier_request_left_in_progress_takes_no_edits_of_the_next() -> None:
    found = parts(
        created("1", "Sum the items"), updated("1", "in_progress"), edited("src/cart.py"), agent("The total is exact now."),
        person("Please rewrite the handbook of the shop, all chapters of it."), edited("docs/handbook.md"),
    )  # fmt: skip
    assert [part.files for part in found if part.title == "Sum the items"] == [("src/cart.py",)]


def test_a_commit_is_of_what_was_done_for_it_and_not_of_the_step_before():
    steps = ("Model", "Signing")
    found = parts(
        listed(1, (steps[0], "in_progress"), (steps[1], "pending")),
        edited("src/model.py"),
        ran("git commit -am 'Add the model'", "[main aaa1111] Add the model", call_id="g1"),
        listed(2, (steps[0], "completed"), (steps[1], "in_progress")),
        edited("src/signing.py"),
        ran("git commit -am 'Sign'", "[main bbb2222] Sign", call_id="g2"),
    )
    assert [(part.title, part.commits) for part in found] == [("Model", ("aaa1111 Add the model",)), ("Signing", ("bbb2222 Sign",))]


def listed(number: int, *items: tuple[str, str]) -> tuple[Message, Message]:
    todos = [{"content": text, "activeForm": text, "status": status} for text, status in items]
    return call("TodoWrite", f"l{number}", todos=todos), result("Todos have been modified successfully", f"l{number}")


def test_what_a_list_has_no_longer_is_no_part_unless_something_came_of_it():
    before = listed(1, ("Add a zone to stations", "in_progress"), ("Queue the messages", "pending"))
    renamed = listed(2, ("Add a zone to recipients", "in_progress"), ("Queue the messages", "pending"))

    assert [part.title for part in parts(before, renamed)] == ["Add a zone to recipients"]
    assert parts(before, edited("src/zone.py"), renamed)[0].title == "Add a zone to stations"


def test_files_of_tasks_that_were_begun_together_are_given_to_none_of_them() -> None:
    found = parts(
        created("1", "Zero the keys"), created("2", "Limit the cache"), updated("1", "in_progress"), updated("2", "in_progress"),
        edited("src/keys.py"), edited("src/cache.py"), updated("1", "completed"), updated("2", "completed"),
        created("3", "Test both"), updated("3", "in_progress"), edited("tests/test_keys.py"), updated("3", "completed"),
    )  # fmt: skip
    assert {part.id: part.files for part in found if part.id} == {"1": (), "2": (), "3": ("tests/test_keys.py",)}


def test_a_task_begun_within_another_has_what_is_changed_for_it() -> None:
    found = parts(
        created("1", "Zero the keys"), created("2", "Limit the cache"), updated("1", "in_progress"), edited("src/keys.py"),
        updated("2", "in_progress"), edited("src/cache.py"),
    )  # fmt: skip
    assert {part.id: part.files for part in found if part.id} == {"1": ("src/keys.py",), "2": ("src/cache.py",)}
