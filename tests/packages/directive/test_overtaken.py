"""What was overtaken since: steps that were written, errors and claims of trouble that a check has passed since, edits of a word."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.directive_parser.values import task as read_task
from continuity.knowledge.evidence import CodeEdit
from continuity.knowledge.model import (
    AnchorType,
    CommandRun,
    FileAction,
    FileTouch,
    Quote,
    Ref,
    Request,
    RequestKind,
    Task,
    TaskStatus,
    Truth,
)
from tests.packages.samples import KNOWLEDGE, SITUATION, anchor, prepared

LANES = Task(
    "t1", "Draw the lanes", TaskStatus.IN_PROGRESS, 5, 6, "todo", ("Add the types",), ("Write computeLanes", "Deploy to AWS", "Test it")
)


def test_it_works() -> None:
    edit = CodeEdit("lanes.go", 9, "+func computeLanes() {\n+  aws := AWS\n+}")
    text = prepared(replace(KNOWLEDGE, tasks=(LANES,), situation=replace(SITUATION, edits=(edit,))), budget=4000).text
    assert "Write computeLanes (written since); Deploy to AWS; Test it" in text
    (line,) = [line for line in text.split("\n") if "Draw the lanes (" in line]
    assert read_task(line.split("] ", 1)[1].rsplit(" [", 1)[0]).steps_left == LANES.steps_left


def test_a_step_that_was_written_before_its_list_says_nothing() -> None:
    edit = CodeEdit("lanes.go", 5, "+func computeLanes() {\n+  return\n+}")
    text = prepared(replace(KNOWLEDGE, tasks=(LANES,), situation=replace(SITUATION, edits=(edit,))), budget=4000).text
    assert "written since" not in text


def test_trouble_is_over_once_a_check_has_passed_after_a_change() -> None:
    claims = (
        anchor(AnchorType.FACT, "The issue is that the lock is taken twice.", 8, truth=Truth.CLAIMED, critical=False),
        anchor(AnchorType.FACT, "Migrations need to be run before each deploy.", 8, truth=Truth.CLAIMED, critical=False),
    )
    changed = FileTouch("lock.go", FileAction.MODIFIED, 9, 9)

    def told(check: CommandRun) -> list[str]:
        now = replace(SITUATION, verification=check)
        text = prepared(replace(KNOWLEDGE, anchors=claims, files=(changed,), situation=now), budget=4000).text
        return [each.text for each in claims if each.text in text]

    assert told(CommandRun("make check", 10, passed=True)) == [claims[1].text]
    assert told(CommandRun("make check", 10, passed=False)) == [each.text for each in claims]
    assert told(CommandRun("make check", 8, passed=True)) == [each.text for each in claims]


def test_the_numbered_items_of_the_request_in_work_are_told_by_the_goal_and_not_again_as_steps() -> None:
    asked = "Ship the lanes: 1. write the lanes 2. test the lanes on the old board 3. deploy the board to the stage"
    task = Task("t1", asked, TaskStatus.IN_PROGRESS, 5, 6, "request", (), ("write the lanes", "deploy the board to the stage"))
    knowledge = replace(KNOWLEDGE, tasks=(task,), requests=(Request(5, RequestKind.REQUEST, Quote(asked, Ref(5)), 6),))
    assert prepared(knowledge, budget=4000).text.count("deploy the board to the stage") == 1
    done = replace(task, steps_done=("write the lanes",), steps_left=("deploy the board to the stage",))
    assert prepared(replace(knowledge, tasks=(done,)), budget=4000).text.count("deploy the board to the stage") > 1
