"""What the person decided in the dialogs of tools."""

from __future__ import annotations

import pytest

from continuity.knowledge.evidence import Choice, PlanItem, PlanState, RefusedCall
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from tests.knowledge.talk import CWD, call, distil, harness, person, ran, result

ASKED = person("Fix the total of the cart.")
REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n"
PLAN = "# Plan: Totals\n\n1. Read the cart\n2. Sum the items\n3. Run the tests\n"


def test_it_works() -> None:
    messages = (
        call("Edit", file_path=f"{CWD}/src/cart.py", old_string="a", new_string="b"),
        result(f"{REFUSED}use sum() instead", failed=True),
    )
    assert distil(ASKED, *messages).knowledge.situation.refusals == (RefusedCall(3, "Edit", "src/cart.py: - a + b", "use sum() instead"),)


def test_the_persons_words_stand_beside_the_result() -> None:
    parts = (
        Part(PartKind.TOOL_RESULT, Voice.TOOL, REFUSED, call_id="c1", failed=True),
        Part(PartKind.TEXT, Voice.PERSON, "oh wait, there are conflicts"),
    )
    told = distil(ASKED, call("Bash", command="git push"), Message(Role.TOOL, parts, "")).knowledge.situation.refusals
    assert told == (RefusedCall(3, "Bash", "git push", "oh wait, there are conflicts"),)


def test_a_failing_command_that_prints_such_words_is_no_refusal() -> None:
    assert distil(ASKED, ran("pytest -q", "FAILED test_x - uppercase_hex_rejected", 1)).knowledge.situation.refusals == ()


def test_an_interruption_tells_what_it_stopped() -> None:
    told = distil(ASKED, call("Bash", command="npm run deploy"), harness("[Request interrupted by user]")).knowledge.situation.refusals
    assert told == (RefusedCall(3, "Bash", "npm run deploy", interrupted=True),)
    assert distil(ASKED, ran("ls", "a"), harness("[Request interrupted by user]")).knowledge.situation.refusals == ()


def test_an_answer_and_what_was_not_chosen() -> None:
    asked = call(
        "AskUserQuestion", questions=[{"question": "Which one?", "options": [{"label": "New"}, {"label": "Amend"}, {"label": "None"}]}]
    )
    answer = result('User has answered your questions: "Which one?"="New".', data={"answers": {"Which one?": "New"}})
    assert distil(ASKED, asked, answer).knowledge.situation.choices == (Choice(3, "Which one?", "New", ("Amend", "None")),)


def test_an_approved_plan_with_its_place_and_items() -> None:
    approved = result(
        f"User has approved your plan.\n\nYour plan has been saved to: /home/ada/.claude/plans/x.md\n\n## Approved Plan:\n{PLAN}"
    )
    plan = distil(ASKED, call("ExitPlanMode", plan="# Plan: an older one"), approved).knowledge.situation.plan
    assert plan is not None
    assert (plan.state, plan.path, plan.text) == (PlanState.APPROVED, "/home/ada/.claude/plans/x.md", PLAN.strip())
    assert [item.text for item in plan.items] == ["Read the cart", "Sum the items", "Run the tests"]


def test_a_plan_that_was_refused_and_one_that_waits() -> None:
    proposed = call("ExitPlanMode", plan=PLAN)
    waiting = distil(ASKED, proposed).knowledge.situation.plan
    refused = distil(ASKED, proposed, result(f"{REFUSED}only the first step", failed=True)).knowledge.situation.plan
    assert waiting and refused
    assert waiting.state is PlanState.PROPOSED
    assert (refused.state, refused.said) == (PlanState.REFUSED, "only the first step")


def test_the_latest_version_of_a_plans_file_counts() -> None:
    written = call("Write", "w", file_path="docs/plans/cart.md", content=PLAN), result("ok", "w")
    changed = call("Edit", "e", file_path="docs/plans/cart.md", old_string="2. Sum the items", new_string="2. Sum it"), result("ok", "e")
    plan = distil(ASKED, *written, *changed).knowledge.situation.plan
    assert plan is not None
    assert "Sum it" in plan.text
    assert plan.state is PlanState.WRITTEN
    other = distil(ASKED, call("Write", "w", file_path="src/planner.md", content=PLAN), result("ok", "w")).knowledge.situation
    assert other.plan is None


def test_an_items_box_and_a_finished_task_tell_that_it_is_done() -> None:
    boxes = "# Plan\n\n- [x] Read the cart\n- [ ] Sum the items\n"
    plan = distil(ASKED, call("ExitPlanMode", plan=boxes)).knowledge.situation.plan
    assert plan is not None
    assert plan.items == (PlanItem("Read the cart", True), PlanItem("Sum the items", False))
    created = call("TaskCreate", "t", subject="Sum the items"), result("Task #1 created successfully: Sum the items", "t")
    done = call("TaskUpdate", "u", taskId="1", status="completed"), result("Updated task #1 status", "u")
    listed = distil(
        ASKED, call("ExitPlanMode", plan=PLAN), result("User has approved your plan."), *created, *done
    ).knowledge.situation.plan
    assert listed is not None
    assert [item.done for item in listed.items] == [None, True, None]


@pytest.mark.parametrize("text", ["1. " * 50_000, "- [ ] x\n" * 50_000, "#" * 200_000, "```\n" * 60_000])
def test_a_hostile_plan_is_bounded(text: str) -> None:
    plan = distil(ASKED, call("ExitPlanMode", plan=text)).knowledge.situation.plan
    assert plan is not None
    assert len(plan.text) <= 2400
    assert len(plan.items) <= 20


def test_all_files_with_conflicts_are_named() -> None:
    printed = "Auto-merging a.go\nCONFLICT (content): Merge conflict in cmd/a.go\nCONFLICT (modify/delete): cmd/b.go deleted in HEAD\n"
    (stopped,) = distil(ASKED, ran("git merge main", f"{printed}Automatic merge failed; fix conflicts", 1)).knowledge.situation.blocked
    assert stopped.result == "CONFLICT in cmd/a.go, cmd/b.go"
