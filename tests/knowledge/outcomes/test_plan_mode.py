"""Plan mode: who takes over in it changes nothing before the person has approved a plan."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.transcripts.base.model import MODE, PLANNING, Message, Part, PartKind, Role, Voice
from handoffs.contract.model import Style
from tests.knowledge.talk import agent, call, distil, person, result
from tests.packages.samples import prepared
from tests.transcripts.records import claude, messages, read

APPROVED = "User has approved your plan. You can now start coding.\n\n## Approved Plan:\n# Totals\n\n1. Sum the items\n"
REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n"
LOOK = person("How could the cart round its total?")


def planned(text: str) -> Message:
    message = person(text)
    return replace(message, parts=(replace(message.parts[0], data={MODE: PLANNING}), *message.parts[1:]))


def is_on(*said: Message) -> bool:
    return distil(*said).knowledge.situation.planning


ENTERED = call("EnterPlanMode", "p1"), result("Entered plan mode.", "p1")
PROPOSED = call("ExitPlanMode", "p2", plan="# Totals\n\n1. Sum the items\n")


@pytest.mark.parametrize("style", list(Style))
def test_it_works(style: Style) -> None:
    known = distil(planned("Add a total to the cart."), agent("I read the cart first.")).knowledge
    text = prepared(known, budget=1000, style=style).text
    assert "Plan mode is on: change nothing before the user has approved a plan" in text
    assert not distil(person(text)).knowledge.situation.planning


@pytest.mark.parametrize(
    ("said", "on"),
    [
        ((LOOK,), False),
        ((LOOK, *ENTERED), True),
        ((LOOK, call("EnterPlanMode", "p1"), result(REFUSED + "just do it", "p1", failed=True)), False),
        ((planned("Add a total."), PROPOSED, result(APPROVED, "p2")), False),
        ((planned("Add a total."), agent("Here is how."), person("Go ahead and write it.")), False),
        ((planned("Add a total."), planned("And round it.")), True),
    ],
)
def test_when_it_is_on(said: tuple[Message, ...], on: bool) -> None:
    assert is_on(*said) is on


def test_words_in_a_refusal_of_the_plan_leave_it_on() -> None:
    parts = (
        Part(PartKind.TOOL_RESULT, Voice.TOOL, REFUSED, call_id="p2", failed=True),
        Part(PartKind.TEXT, Voice.PERSON, "round it, too"),
    )
    assert is_on(planned("Add a total."), PROPOSED, Message(Role.TOOL, parts, ""))


@pytest.mark.parametrize(("mode", "on"), [("plan", True), ("acceptEdits", False), (None, False), (17, False)])
def test_claude_code_tells_it_beside_what_a_person_says(mode: object, on: bool) -> None:
    assert is_on(*messages(read("claude-code", claude("u1", None, "Add a total to the cart.", permissionMode=mode)))) is on
