"""A question of the user's that was worked on and not answered is told as owed."""

from __future__ import annotations

import pytest

from continuity.knowledge.directive_parser.grammar import ASKS, CONTINUE, CONTINUE_ASKS, OWES, SectionKind
from continuity.knowledge.directive_parser.lines import read_lines
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, call, distil, person, result
from tests.packages.samples import prepared

QUESTION = "Where is `old_total` still used?"


def edited(number: int = 1) -> tuple[Message, Message]:
    given = {"file_path": "/home/ada/shop/cart.py", "old_string": f"a = {number}", "new_string": f"b = {number}"}
    return call("Edit", f"e{number}", **given), result("ok", f"e{number}")


def told(*messages: Message) -> str:
    return prepared(distil(person("Have a look around."), agent("All is well here."), *messages).knowledge, budget=4000).text


def owed(text: str) -> bool:
    return OWES in text or "Not answered yet: the user asked" in text


def test_it_works() -> None:
    text = told(person(QUESTION), agent("Let me search for it:"), *edited())
    assert f"- {OWES}" in text
    assert [entry.label for entry in read_lines(text, 0, len(text)) if entry.text == OWES] == ["asks"]


def test_of_a_longer_request_the_question_is_told() -> None:
    text = told(person(f"The name of the total is wrong in cart.py, it should be amount. {QUESTION}"), agent("Let me search:"), *edited())
    assert f"- Not answered yet: the user asked “{QUESTION}”" in text
    assert [entry.label for entry in read_lines(text, 0, len(text)) if entry.text == QUESTION] == ["owed"]


@pytest.mark.parametrize(
    "said",
    [
        (person(QUESTION), *edited(), agent("It is used in cart.py and pay.py. The tests do not use it any more."), *edited(2)),
        (person("Can you rename the total in cart.py?"), agent("Let me do it:"), *edited()),
        (person("Is this duplicated?"), agent("Yes, it is."), person("Even more, can the switch also be shared?"), *edited()),
        (person("Rename the total in cart.py. Mira wrote to me:\n> Where is it still used?"), agent("Let me do it:"), *edited()),
    ],
    ids=["answered", "asks for work", "wishes", "quoted"],
)
def test_nothing_is_owed(said: tuple[Message, ...]) -> None:
    assert not owed(told(*said))


def test_of_a_question_that_nothing_was_changed_for_it_is_told_that_no_answer_was_given() -> None:
    text = told(person(QUESTION))
    assert text.count(f"- {ASKS}\n") == 1
    assert CONTINUE not in text, "the list of what comes next says it"
    assert "## Next\n1. Answer the user’s question\n" in text
    read = [(entry.label, entry.text) for entry in read_lines(text, 0, len(text)) if entry.kind is SectionKind.NEXT]
    assert ("asks", ASKS) in read
    former = text.replace(f"- {ASKS}\n", f"- {CONTINUE_ASKS}\n")
    read = [(entry.label, entry.text) for entry in read_lines(former, 0, len(former)) if entry.kind is SectionKind.NEXT]
    assert ("waiting", CONTINUE) in read
