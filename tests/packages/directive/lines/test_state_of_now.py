"""*Now* agrees with what was found out since: hooks, clean trees, failures from elsewhere, conflicts, refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from continuity.knowledge.evidence import CodeEdit, RefusedCall
from continuity.knowledge.model import CommandRun, FileAction, FileTouch, Knowledge, Quote, Ref, Request, RequestKind, Situation
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, call, distil, person, ran, result
from tests.packages.samples import KNOWLEDGE, prepared

RED = "FAILED tmp/clones/other/test_a.py::test_a - ModuleNotFoundError: no module named 'other'\n6 failed, 1392 passed in 41.2s"
FOREIGN = "These are pre-existing failures in a clone below tmp/, not related to my changes."


def edited(number: int, path: str = "cart.py") -> tuple[Message, Message]:
    given = {"file_path": f"/home/ada/shop/{path}", "old_string": f"total = {number}", "new_string": f"amount = {number}"}
    return call("Edit", f"e{number}", **given), result("ok", f"e{number}")


def told(*messages: Message | tuple[Message, ...]) -> str:
    """The directive of messages in a tree under version control."""
    begun = (person("Have a look around."), *ran("git branch --show-current && git switch main", "Switched to branch 'main'", call_id="b1"))
    return prepared(distil(*begun, agent("All is well here."), *messages).knowledge, budget=4000).text


def with_request(**more: Any) -> Knowledge:
    return replace(
        KNOWLEDGE, requests=(Request(12, RequestKind.REQUEST, Quote("Merge main into the branch.", Ref(12)), 18, files=("a.py",)),), **more
    )


def test_it_works() -> None:
    text = told(person("Rename the total."), edited(1), ran("pytest", RED, 1), agent(FOREIGN), ran("git diff", "+amount", call_id="c3"))
    assert "it was there before, or comes from elsewhere" in text
    assert "mend what fails" not in text
    assert "To run again" not in text


def test_a_failure_of_which_the_agent_said_no_such_thing_is_to_be_mended() -> None:
    text = told(
        person("Rename the total."), edited(1), ran("pytest", RED, 1), agent("Six tests fail."), ran("git diff", "+amount", call_id="c3")
    )
    assert "Next: mend what fails" in text


@pytest.mark.parametrize(
    "printed",
    [
        "FAILED: git commit\n6 fail\nhusky - pre-commit script failed (code 1)",
        "bun test src/\n 6 fail\nhusky - pre-commit script failed (code 1)",
    ],
)
def test_a_commit_that_a_hook_stopped_is_refused_though_a_wrapper_ended_well(printed: str) -> None:
    text = told(person("commit"), edited(1), ran("rtk git add cart.py && rtk git commit -m 'Rename the total'", printed))
    assert "Refused and not done: `rtk git add cart.py && rtk git commit -m 'Rename the total'` failed" in text
    assert "Not committed: cart.py (staged)" in text


def test_a_hook_that_only_warns_stops_nothing() -> None:
    printed = "husky - deprecated\n[main 3fa91c2] Rename the total\n 1 file changed, 1 insertion(+), 1 deletion(-)"
    text = told(person("commit"), edited(1), ran("git commit -am 'Rename the total'", printed))
    assert "Refused" not in text
    assert "Not committed" not in text


@pytest.mark.parametrize("shown", ["On branch main\nnothing to commit, working tree clean", "", "## main...origin/main"])
def test_after_a_clean_tree_nothing_is_probably_not_committed(shown: str) -> None:
    command = "git status" if "On branch" in shown else "git status --short" + (" --branch" if shown else "")
    text = told(person("Rename the total."), edited(1), agent("Renamed."), person("commit"), ran(command, shown))
    assert "ot committed" not in text


def test_a_status_in_words_of_a_wrapper_is_no_clean_tree() -> None:
    text = told(person("commit"), edited(1), ran("rtk git status", "Modified: 1 file\n  cart.py"))
    assert "ommitted: cart.py" in text or "as no commit of it was seen: cart.py" in text
    assert "Not committed: cart.py" in told(person("commit"), edited(1), ran("git status --short", " M cart.py"))


@pytest.mark.parametrize(
    ("command", "printed", "passed"),
    [
        ("pnpm --filter web lint 2>&1 | tail -20", "> web@1.4.0 lint /home/ada/shop\n> eslint src/**/*.ts", True),
        ("npx tsc --noEmit 2>&1 | head -20", "", True),
        ("npx tsc --noEmit 2>&1 | head -20", "src/a.ts(3,1): a line that says something", None),
        ("npx tsc --noEmit 2>&1 | grep cart", "", None),
        ("npx jest src/cart 2>&1 | tail -20", "", None),
    ],
)
def test_a_linter_that_prints_nothing_passed_where_all_it_printed_is_seen(command: str, printed: str, passed: bool | None) -> None:
    known = distil(person("Rename the total."), call("Bash", "c1", command=command), result(printed, "c1", failed=False)).knowledge
    assert known.situation.verification is not None
    assert known.situation.verification.passed is passed


def test_conflicts_that_were_edited_since_are_told_as_such() -> None:
    merge = CommandRun("git merge main", 13, 1, False, "CONFLICT in a.py, b.py")
    files = (FileTouch("a.py", FileAction.MODIFIED, 15, 15),)
    text = prepared(with_request(situation=Situation(blocked=(merge,)), files=files), budget=4000).text
    assert "CONFLICT in b.py; conflicts edited since: a.py" in text


def test_a_refusal_in_the_request_in_work_stands_with_it() -> None:
    refusal = RefusedCall(12, "Bash", "git commit -m 'Add the design'", "Merge main into the branch.")
    text = prepared(with_request(situation=Situation(refusals=(refusal,))), budget=4000).text
    now = text[text.index("## Now") : text.index("## ", text.index("## Now") + 6)]
    assert "The user refused: Bash “git commit -m 'Add the design'”" in now
    assert text.count("Merge main into the branch.") == 1


def test_a_request_by_a_command_names_the_command() -> None:
    row = Request(12, RequestKind.REQUEST, Quote("first check that the plan holds", Ref(12)), 18, command="/plan:write")
    assert "The user asked: “/plan:write first check that the plan holds”" in prepared(replace(KNOWLEDGE, requests=(row,))).text


def test_an_edit_too_long_to_show_says_how_much_it_changes() -> None:
    long = CodeEdit("cart.py", 15, "\n".join(f"+line {number} of the cart, with some words in it" for number in range(60)))
    text = prepared(with_request(situation=Situation(edits=(long,))), budget=2000).text
    assert "… 60 lines put in and 0 taken out, as far as known; the file has all" in text


def test_the_last_thought_is_over_once_the_agent_said_more() -> None:
    thought = Quote("Wait, there is a circular dependency between the cart and the shop.", Ref(13))
    turns = (replace(KNOWLEDGE.turns[-1], thought=thought),)
    said = replace(with_request().requests[0], told=(Quote("The cart has no dependency on the shop any more.", Ref(16)),))
    before = prepared(replace(with_request(), turns=turns), budget=4000).text
    after = prepared(replace(with_request(), turns=turns, requests=(said,)), budget=4000).text
    assert "circular dependency" in before
    assert "circular dependency" not in after
