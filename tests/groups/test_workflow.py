"""Workflows, rules and what is read before one speaks: what is right is taken, what is wrong is refused in words."""

from __future__ import annotations

from typing import Any

import pytest

from continuity.charts.workflow import picture
from continuity.groups.context import ContextMessage, fill
from continuity.groups.model import RoutingAction
from continuity.groups.routing import BadRoute, SeenEvent, route
from continuity.groups.routing import read as read_rules
from continuity.groups.workflow import END, BadWorkflow, Workflow, read

FLOW: list[dict[str, Any]] = [
    {"key": "find", "owner": "dba"},
    {"key": "fix", "expertise": ["python"], "next": ["check", "find"]},
    {"key": "check"},
]


def test_it_works() -> None:
    flow = read(FLOW)
    assert [flow.after("find"), flow.after("fix"), flow.after("fix", to="find"), flow.after("check")] == ["fix", "check", "find", END]
    assert read(flow.as_json()) == flow
    drawn = picture(flow, step="fix", done=["find"])
    assert drawn is not None
    assert [box.state for box in drawn.boxes] == ["done", "now", "open", "open"]
    assert len(drawn.paths) == 4


@pytest.mark.parametrize(
    "steps",
    [
        [{"key": "a"}, {"key": "a"}],
        [{"key": END}],
        [{"key": "a b"}],
        [{}],
        [{"key": "a", "next": ["b"]}],
        [{"key": "a", "next": ["a"]}],
        [{"key": "a", "owner": "../x"}],
        [{"key": "a", "title": 7}],
        [{"key": "a", "expertise": "sql"}],
        [{"key": "a", "rule": 1}],
        [{"key": f"s{number}"} for number in range(31)],
    ],
    ids=lambda steps: str(steps)[:40],
)
def test_what_is_no_workflow(steps: list[dict[str, Any]]) -> None:
    with pytest.raises(BadWorkflow):
        read(steps)


def test_a_step_goes_on_only_where_it_may() -> None:
    with pytest.raises(BadWorkflow, match="goes on to fix, not to 'check'"):
        read(FLOW).after("find", to="check")
    with pytest.raises(BadWorkflow, match="All steps are done"):
        read(FLOW).after(END)
    with pytest.raises(BadWorkflow, match="There is no workflow"):
        Workflow().after("")


def test_rules_make_effects_and_advances_of_events() -> None:
    rules = read_rules(
        [{"pattern": "agent:failed", "action": "raise", "agent": "dba"}, {"pattern": "deploy:*", "action": "advance", "step": "fix"}],
        read(FLOW),
    )
    found = route(rules, [SeenEvent("1", "agent:failed"), SeenEvent("2", "deploy:done"), SeenEvent("3", "task:done")])
    assert [(each.action, each.agent, each.event) for each in found.effects] == [(RoutingAction.RAISE, "dba", "1")]
    assert found.advances == (("fix", "2"),)
    assert len(route(rules, [SeenEvent(str(number), "agent:failed") for number in range(1000)]).effects) == 20


@pytest.mark.parametrize(
    "rule",
    [
        {"pattern": "", "action": "raise", "agent": "dba"},
        {"pattern": "a:**", "action": "raise", "agent": "dba"},
        {"pattern": "a", "action": "shout", "agent": "dba"},
        {"pattern": "a", "action": "raise"},
        {"pattern": "a", "action": "raise", "agent": "dba", "factor": float("inf")},
        {"pattern": "a", "action": "advance", "step": "nowhere"},
        {"pattern": "a", "action": ["raise"], "agent": "dba"},
        {"pattern": "a", "action": "raise", "agent": "dba", "code": "x"},
    ],
    ids=lambda rule: str(rule)[:60],
)
def test_what_is_no_rule(rule: dict[str, Any]) -> None:
    with pytest.raises(BadRoute):
        read_rules([rule], read(FLOW))


def test_the_latest_messages_that_fit_are_told_whole() -> None:
    messages = [ContextMessage(number, "dba", "word " * 10, 10) for number in range(1, 101)]
    found = fill(messages, ["Messages 1 to 50: it began."] * 50, budget=200, count=lambda text: len(text.split()), before=400)
    assert found.tokens <= 200
    assert [each.seq for each in found.messages] == list(range(101 - len(found.messages), 101))
    assert found.left_out == 500 - len(found.messages)
    assert 1 <= len(found.earlier) <= 10


def test_of_one_that_is_too_long_beginning_and_end_are_told() -> None:
    message = ContextMessage(1, "", "begin " + "word " * 50_000 + "end", 50_002)
    found = fill([message], [], budget=200, count=lambda text: len(text.split()), before=0)
    assert found.cut and found.tokens <= 200
    assert found.messages[0].text.startswith("begin") and found.messages[0].text.endswith("end")
