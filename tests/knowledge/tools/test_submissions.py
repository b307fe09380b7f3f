"""Work that is handed in or shown to be done is done."""

from __future__ import annotations

import pytest

from continuity.knowledge.model import AnchorType, TaskStatus
from continuity.transcripts.base.model import OWN, Message, Part, PartKind, Role, Voice
from tests.knowledge.talk import agent, call, distil, person, ran, result

ASKED = "Fix the rounding of totals in the checkout module"
SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch.txt"


def own(name: str, text: str, **given: str) -> tuple[Message, Message]:
    """Something that the harness does by itself, and what it says of it."""
    told = {**given, OWN: True}
    made = Part(PartKind.TOOL_CALL, Voice.AGENT, name=name, call_id=text, input=given, data={OWN: True})
    said = Part(PartKind.TOOL_RESULT, Voice.TOOL, text, call_id=text, failed=False, data=told)
    return Message(Role.ASSISTANT, (made,), ""), Message(Role.TOOL, (said,), "")


def test_it_works() -> None:
    now = distil(person(ASKED), agent("Let me submit the fix."), call("submit"), result("diff --git", data={"exitStatus": "submitted"}))
    assert now.knowledge.situation.waiting is True
    assert now.knowledge.situation.next_step is None
    assert now.knowledge.situation.outside == ("submit submitted",)
    assert [task.status for task in now.knowledge.tasks] == [TaskStatus.COMPLETED]


@pytest.mark.parametrize("last", [call("attempt_completion", result="Done"), call("Bash", command=SUBMIT)])
def test_a_session_that_ends_with_handing_in_waits_for_the_person(last: Message) -> None:
    assert distil(person(ASKED), agent("Let me submit."), last).knowledge.situation.waiting is True


def test_what_was_refused_is_not_handed_in() -> None:
    now = distil(person(ASKED), call("submit"), result("no patch", failed=True), agent("Let me write the patch first."))
    assert now.knowledge.situation.waiting is False
    assert now.knowledge.situation.outside == ()
    assert [task.status for task in now.knowledge.tasks] == [TaskStatus.IN_PROGRESS]


def test_who_looks_for_the_signal_of_a_harness_hands_nothing_in() -> None:
    looked = ran("grep -rn COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT src; echo done", "src/a.py:1: signal")
    assert distil(person(ASKED), *looked).knowledge.situation.outside == ()


def test_what_the_harness_does_by_itself_leaves_the_move_to_the_person() -> None:
    now = distil(person(ASKED), agent("I round after the tax now."), *own("commit", "Commit 54d022e fix: totals", commit="54d022e"))
    assert now.knowledge.situation.waiting is True
    assert [commit.text for commit in now.knowledge.situation.commits] == ["Commit 54d022e fix: totals"]


def test_a_commit_that_was_taken_back_is_a_failed_approach() -> None:
    made, undone = (
        own("commit", "Commit 54d022e fix: totals", commit="54d022e"),
        own("undo", "Removed: 54d022e fix: totals", commit="54d022e"),
    )
    now = distil(person(ASKED), agent("I round after the tax now."), *made, *undone)
    assert now.knowledge.situation.commits == ()
    assert now.texts(AnchorType.FAILED_APPROACH) == ["Removed: 54d022e fix: totals"]


def test_a_request_for_a_commit_alone_is_done_with_the_commit() -> None:
    done = distil(person("commit this"), *ran("git commit -m x", "[main 1234567] x"), *ran("git status", "clean", call_id="c2"))
    more = distil(person("commit this and write the changelog of the release"), *ran("git commit -m x", "[main 1234567] x"))
    assert [task.status for task in done.knowledge.tasks] == [TaskStatus.COMPLETED]
    assert [task.status for task in more.knowledge.tasks] == [TaskStatus.IN_PROGRESS]


@pytest.mark.parametrize(("command", "left"), [("pytest", 0), ("pytest tests/test_login.py", 1), ("pytest -k login", 1)])
def test_only_a_run_of_all_tests_ends_what_was_told_of_trouble_with_some(command: str, left: int) -> None:
    told = agent("The import test crashes in `read_rows` on empty files, a problem of the fixture.")
    done = distil(
        person("Look at CI"), agent("Let me look."), call("Read", file_path="a.py"), result("x"), told, *ran(command, "4 passed in 3s")
    )
    assert len(done.current(AnchorType.ERROR)) == left


def test_what_was_done_as_asked_is_not_what_comes_next() -> None:
    committed = ran("git commit -m x", "[main 1234567] x")
    now = distil(person("commit this"), *committed, agent("Committed."), *ran("pytest", "1 failed", exit_code=1, call_id="c2"))
    assert now.knowledge.situation.next_step is None
    assert now.knowledge.situation.waiting is False


def test_what_was_told_of_a_branch_holds_until_it_moves() -> None:
    told = (
        person("what is the state of the repo?"),
        agent(
            "I found that local `main` is behind `origin/main` by 2 commits because nobody pulled since v1.2.\n\n" + "It is quiet. " * 40
        ),
    )
    assert [a.text for a in distil(*told).current() if "behind" in a.text]
    assert not [a.text for a in distil(*told, *ran("git pull", "Updating 1234567..89abcde")).current() if "behind" in a.text]
