"""What a short yes decides, and what it only confirms or orders."""

from __future__ import annotations

import pytest

from continuity.knowledge.model import AnchorType, Truth
from tests.knowledge.talk import agent, distil, person


def decided(question: str) -> list[str]:
    known = distil(person("Add an index to the orders table."), agent(question), person("yes")).knowledge
    return [anchor.text for anchor in known.anchors if anchor.type is AnchorType.DECISION]


@pytest.mark.parametrize(
    "question",
    [
        "Should the queue of the orders live in Postgres?",
        "Want me to use Postgres for the queue of late orders and refunds?",
        "Is it okay to drop Python 3.8 with the next release of orders?",
        "Does it make sense to keep late orders in a queue of Postgres?",
    ],
)
def test_it_works(question: str) -> None:
    assert decided(question) == [question]


@pytest.mark.parametrize(
    "question",
    [
        "Does this look right so far for the data model of orders?",
        "Does the first half of the section match what you had in mind?",
        "Want me to add direct unit tests for these edge cases?",
        "Would you like me to write the migration of the orders table?",
    ],
)
def test_a_yes_to_what_only_confirms_or_offers_work_is_no_decision(question: str) -> None:
    assert decided(question) == []


def test_a_yes_that_names_another_thing_agrees_to_that_and_not_to_what_was_proposed() -> None:
    proposed = "I recommend to make a pty by hand with golang.org/x/sys/unix, since it is there already."
    said = "okay, let's try it with creack/pty instead"
    found = distil(person("Test the prompt."), agent(proposed), person(said)).current(AnchorType.DECISION)
    assert [anchor.text for anchor in found if anchor.truth is Truth.STATED] == [said]
    agreed = distil(person("Test the prompt."), agent(proposed), person("okay, let's try it")).current(AnchorType.DECISION)
    assert proposed in [anchor.text for anchor in agreed if anchor.truth is Truth.STATED]


def test_an_interjection_answers_nothing() -> None:
    asked = "Sessions end some day. Should they live for 7 or for 30 days?"
    found = distil(person("Set the lifetime."), agent(asked), person("ugh. 30 days.")).texts(AnchorType.DECISION)
    assert found == ["30 days."]


QUESTIONS = (
    "Before I write the schema, two questions:\n\n1. Should orders keep their history after a refund?\n2. Which currency do late fees use?"
)


def test_numbered_answers_to_numbered_questions_are_one_decision_each_with_its_question() -> None:
    known = distil(person("Design the orders table."), agent(QUESTIONS), person("1. Yes, for seven years\n2. Always the order's own"))
    found = known.current(AnchorType.DECISION)
    assert [(each.text, each.rationale) for each in found] == [
        ("Yes, for seven years", "Should orders keep their history after a refund?"),
        ("Always the order's own", "Which currency do late fees use?"),
    ]


def test_a_numbered_list_that_answers_no_numbered_questions_decides_nothing_by_numbers() -> None:
    said = "1. Rename the orders table\n2. Drop the view of late fees"
    for before in ("Ready. What is next?", QUESTIONS.replace("?", ".")):
        known = distil(person("Design the orders table."), agent(before), person(said))
        assert [each.text for each in known.current(AnchorType.DECISION) if each.rationale] == []


def test_what_is_recommended_ends_with_its_list() -> None:
    proposed = (
        "We have the logs, so I recommend:\n\n1. Parse the main transcript.\n2. Read the file of each helper.\n\n"
        "The data flow exists already. The sums would stand in the metadata beside the other fields. Want me to implement this?"
    )
    found = distil(person("Count the tokens."), agent(proposed), person("yes, please do")).current(AnchorType.DECISION)
    (agreed,) = [anchor.text for anchor in found if anchor.truth is Truth.STATED]
    assert agreed.endswith("Read the file of each helper.") and "Parse the main transcript" in agreed


def test_what_is_agreed_to_is_told_with_what_it_is_about() -> None:
    offers = "Step 4 of the guide asks for a token. This should be removed since the shop has none. Shall I change the guide?"
    texts = distil(person("Is the guide right?"), agent(offers), person("yes please")).texts(AnchorType.DECISION)
    assert any(text.startswith("Step 4 of the guide") for text in texts)
