"""Words with which a person leaves the work, or speaks of what they do themselves, ask the agent for nothing."""

from __future__ import annotations

import pytest

from continuity.knowledge.language.leaving import leaves, speaks_of_own, without_own
from continuity.knowledge.language.sentences import split
from continuity.knowledge.model import AnchorType, RequestKind
from continuity.knowledge.requests.ledger import in_work
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, call, distil, person, ran, result

EDIT = (call("Edit", file_path="/home/ada/shop/queue.py", old_string="x = 1", new_string="x = 2"), result("ok"))
BUG = "The page lists nine orders as late, but all nine were sent, I see them in the table."
LOOK = (
    *ran("sqlite3 shop.db 'select 1'", "1"),
    agent("I don't know the cause yet. Their times end in +00:00, those of the others in +01:00."),
)


def kind_of_last(*messages: Message) -> RequestKind:
    return distil(*messages).knowledge.requests[-1].kind


def test_it_works() -> None:
    found = distil(person(BUG), *LOOK, person("Gotta go. Mira can look at it, she wrote the import."))

    requests, now = found.knowledge.requests, found.knowledge.situation
    assert [row.kind for row in requests][1:] == [RequestKind.PARTING]
    assert in_work(requests)[0].text.text == BUG, "the work that was left is still the one in work"
    assert now.waiting is True
    assert not found.current(AnchorType.DECISION)


@pytest.mark.parametrize(
    "text",
    [
        "I have to stop here for today, a school meeting.",
        "I give it back to Jonas.",
        "Let's stop here, the addresses can wait until then.",
        "aylin takes over tomorrow, i'm on the boat till friday",
        "Thank you! I'm on holiday from tomorrow and hand this over.",
        "train arrives, rest tomorrow",
        "ich muss los, Jonas übernimmt morgen",
        "Ich muss los, mach bitte morgen mit Lena weiter.",
    ],
)
def test_leaving(text: str) -> None:
    assert leaves(text)


@pytest.mark.parametrize(
    "text",
    [
        "I need to run the tests first",
        "stop the server here and restart it",
        "the parser takes over when it fails",
        "the user can look at it",
        "I'm on the main branch",
        "give it back to the pool",
        "make it continue later when the queue is full",
        "Can Mira look at it?",
    ],
)
def test_staying(text: str) -> None:
    assert not leaves(text)


@pytest.mark.parametrize(
    "text", ["I'll ask Ruth, she looks after the mail.", "Sent as it is.", "ok then, closing this", "I still have to ask Mira first."]
)
def test_what_the_person_does(text: str) -> None:
    assert speaks_of_own(text)


@pytest.mark.parametrize(
    "text", ["The closing this adds is wrong.", "I'll need a button for it.", "Send it as it is.", "I have to ask you something."]
)
def test_what_the_person_wants(text: str) -> None:
    assert not speaks_of_own(text)


def test_what_is_left_of_a_message() -> None:
    assert [s.text for s in without_own(split("Thanks! Leave out the short days. I stop here for today."))] == ["Leave out the short days."]


def test_a_request_before_the_leaving_is_a_request() -> None:
    assert kind_of_last(person(BUG), *LOOK, person("Leave out the nine orders. I stop here for today.")) is RequestKind.REQUEST


def test_an_answer_before_the_leaving_is_an_answer() -> None:
    asked = agent("Two names were mended by hand. Should the import overwrite them?")
    found = distil(person("Please import the orders."), *EDIT, asked, person("Names that are there stay. I have to stop here for today."))

    assert found.knowledge.requests[-1].kind is RequestKind.ANSWER
    assert found.knowledge.situation.waiting is False, "there is something to do with the answer"


def test_trouble_before_the_leaving_is_reported() -> None:
    assert (
        kind_of_last(person("Please add it."), *EDIT, agent("Done."), person("It fails with exit 2. Gotta go.")) is not RequestKind.PARTING
    )


def test_leaving_while_the_agent_works_does_not_stop_it() -> None:
    found = distil(person("Please add a queue to the importer."), *EDIT, person("gotta go, back later"))

    assert found.knowledge.requests[-1].kind is RequestKind.REMARK
    assert found.knowledge.situation.waiting is False


def test_what_the_person_takes_on_begins_no_work() -> None:
    found = distil(
        person("Please add a queue to the importer."),
        *EDIT,
        agent("Done. Two branches use the number 0008."),
        person("That sounds dangerous. I'll write it into both pull requests."),
    )

    assert in_work(found.knowledge.requests)[0].seq == 1
    [promised] = found.current(AnchorType.COMMITMENT)
    assert promised.text == "I'll write it into both pull requests."


def test_what_only_announces_what_follows_is_no_fact() -> None:
    found = distil(person("Hello Ada! Two things are important to me:\n\n- Names stay.\n- The 54 ids stay."))

    assert not [a for a in found.current(AnchorType.FACT) if a.text.endswith(":")]


@pytest.mark.parametrize(
    "text",
    [
        "We have a backup every night and never ever restored one.",
        "In August we threw the old values out, never vacuumed.",
        "Is that so? I remember that a transaction over two files is only atomic under conditions.",
    ],
)
def test_what_is_told_of_the_past_is_no_rule(text: str) -> None:
    assert not distil(person(text)).current(AnchorType.CONSTRAINT)
