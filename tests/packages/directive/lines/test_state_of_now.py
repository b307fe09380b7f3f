"""*Now* agrees with what was found out since: hooks, clean trees, failures from elsewhere, conflicts, refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from continuity.knowledge.evidence import CodeEdit, RefusedCall
from continuity.knowledge.model import CommandRun, FileAction, FileTouch, Knowledge, Quote, Ref, Request, RequestKind, Situation
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, call, distil, harness, person, ran, result
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
    assert ". Mend " not in text
    assert "To run again" not in text


def test_a_failure_of_which_the_agent_said_no_such_thing_is_to_be_mended() -> None:
    text = told(
        person("Rename the total."), edited(1), ran("pytest", RED, 1), agent("Six tests fail."), ran("git diff", "+amount", call_id="c3")
    )
    assert ". Mend “tmp/clones/other/test_a.py::test_a”" in text


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


def test_of_an_edit_too_long_to_show_the_lines_with_its_new_names_are_told() -> None:
    filler = [f"+    line {number} of the cart, with some words in it" for number in range(400)]
    body = "\n".join(("+def test_total():", *filler[:300], "+def test_amount():", *filler[300:]))
    named = CodeEdit("cart.py", 15, body, ("test_total", "test_amount"))
    text = prepared(with_request(situation=Situation(edits=(named,))), budget=2000).text
    assert "> +def test_total():\n  > +def test_amount():\n  > … and more lines, which the file has" in text
    first = prepared(with_request(situation=Situation(edits=(replace(named, names=()),))), budget=2000).text
    assert "> +def test_total():\n  > +    line 0 of the cart" in first
    assert "test_amount" not in first


def test_the_last_thought_is_over_once_the_agent_said_more() -> None:
    thought = Quote("Wait, there is a circular dependency between the cart and the shop.", Ref(13))
    turns = (replace(KNOWLEDGE.turns[-1], thought=thought),)
    known = replace(with_request(), turns=turns, files=())
    said = replace(with_request().requests[0], told=(Quote("The cart has no dependency on the shop any more.", Ref(16)),))
    before = prepared(known, budget=4000).text
    after = prepared(replace(known, requests=(said,)), budget=4000).text
    assert "circular dependency" in before
    assert "circular dependency" not in after


def test_a_request_that_commands_carried_out_is_not_told_as_untouched() -> None:
    made = ran("gh pr create --fill", "https://github.com/ada/shop/pull/255")
    text = told(person("make a PR for this"), ran("git push -u origin cart", "branch 'cart' set up to track 'origin/cart'."), made)
    assert "Nothing was done for it yet" not in text
    assert "Done for it so far: made pull request #255 https://github.com/ada/shop/pull/255" in text
    assert "Nothing was done for it yet" in told(person("make a PR for this"))


def test_a_file_that_was_made_and_removed_again_is_no_change() -> None:
    written = call("Write", "w1", file_path="/home/ada/shop/status.py", content="a = 1"), result("ok", "w1")
    text = told(person("Split the cart."), written, edited(2), ran("rm status.py", "", call_id="r1"))
    assert "Not committed: cart.py\n" in text
    committed = ran("git add . && git commit -m x", "[main 3fa91c2] x\n 2 files changed, 2 insertions(+)", call_id="g1")
    after = told(person("Split the cart."), written, edited(2), committed, ran("rm status.py", "", call_id="r1"))
    assert "Not committed: status.py" in after


def test_a_helper_that_still_runs_is_part_of_now() -> None:
    helper = call("Task", "t1", description="Review the cart", prompt="Look at it all.", subagent_type="reviewer")
    text = told(person("Review the cart."), helper)
    now = text[text.index("## Now") : text.index("\n## ", text.index("## Now"))]
    assert "Sent to a sub-agent, with no answer at the cut (send it again if it is gone)" in now + text.partition("## Next\n")[2]
    assert "  > reviewer: Review the cart\n  > Look at it all." in text and "it is your turn" not in text
    assert "Sent to a sub-agent" not in told(person("Review the cart."), helper, result("It is sound: nothing is wrong.", "t1"))


def test_the_words_that_led_in_to_a_helper_are_no_step_of_their_own() -> None:
    helper = call("Task", "t1", description="Review the cart", prompt="Look at cart.py.", subagent_type="reviewer")
    words = "I'll go through `cart.py` to find every place that rounds."
    assert "Next step:" not in told(person("Review the cart."), agent(words), helper)


def test_what_was_sent_to_a_helper_is_read_again_as_running() -> None:
    helper = call("Task", "t1", description="Review the cart", prompt="Look at it all.", subagent_type="reviewer")
    after = distil(person(told(person("Review the cart."), helper))).knowledge.situation
    assert after.running == ("reviewer: Review the cart",)


def test_a_refused_edit_says_which() -> None:
    given = {"file_path": "/home/ada/shop/cart.py", "old_string": "wait_for('Overwrite')", "new_string": "wait_for('Yes')"}
    refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    refusal += " To tell you how to proceed, the user said:\nlook first"
    text = told(person("Mend the test."), call("Edit", "e1", **given), result(refusal, "e1", failed=True))
    assert "cart.py: - wait_for('Overwrite') + wait_for('Yes')" in text


def test_go_doc_is_no_check() -> None:
    known = distil(
        person("Move the status."), ran("go doc -all github.com/go-git/go-git/v5 Status", "func (s Status) String() string")
    ).knowledge
    assert known.situation.verification is None


def test_of_two_edits_the_one_of_the_code_comes_before_that_of_its_test() -> None:
    code, test = (
        CodeEdit("cart.py", 13, "+amount = total + shipping + tax"),
        CodeEdit("tests/test_cart.py", 15, "+assert amount == 12 + 3 + 1"),
    )
    text = prepared(with_request(situation=Situation(edits=(code, test))), budget=4000).text
    assert "+amount = total" in text


def test_a_call_that_was_stopped_right_before_the_request_stands_with_it() -> None:
    stopped = call("Bash", "g1", command="git commit -m 'Keep the constant'"), harness("[Request interrupted by user for tool use]")
    text = told(
        person("Review the constant."), agent("Skip it."), person("Then commit."), stopped, person("I think we should separate the types")
    )
    now = text[text.index("## Now") : text.index("\n## ", text.index("## Now"))]
    assert "- The user asked: “I think we should separate the types”" in now
    assert "- The user refused: Bash “git commit -m 'Keep the constant'”" in now
    assert now.index("The user asked") < now.index("The user refused")
