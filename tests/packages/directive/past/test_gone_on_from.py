"""What an agent proposed in a talk and the person went on from stands among the decisions, and a person's decision that the history tells
word by word stands there alone."""

from __future__ import annotations

from handoffs.directive.past.claims import choices_gone_on_from
from tests.knowledge.talk import CWD, agent, call, distil, person, result
from tests.packages.samples import prepared

PROPOSES = "I looked at both.\n\nI'd keep the day book in plain SQLite files, not in a server of its own."
CONTRARY = "I looked at both.\n\nI'd avoid a bridge to the old till for now."


def proposed(answer: str, then: str, last: str = "Write down what we have so far.") -> list[str]:
    known = distil(
        person("Where would the day book go, and how do the tills get at it?"),
        agent(answer),
        person(then),
        agent("It can be read by every till."),
        person(last),
    ).knowledge
    keys = choices_gone_on_from(known)
    return [each.text for each in known.anchors if each.key in keys]


def test_it_works() -> None:
    assert proposed(PROPOSES, "So how would the tills read that?") == [
        "I'd keep the day book in plain SQLite files, not in a server of its own."
    ]


def test_what_the_person_denied_is_none() -> None:
    assert not proposed(PROPOSES, "No, that is not what I meant. How would the tills do?")


def test_what_the_person_chose_against_later_is_none() -> None:
    assert proposed(CONTRARY, "How would the tills read that?")
    assert not proposed(CONTRARY, "How would the tills read that?", "So I just want a small bridge to the old till.")


def test_a_decision_is_told_once() -> None:
    chosen = "So maybe it's better to start with SQLite than with a server"
    known = distil(
        person("Where would the day book go?"),
        agent("Into SQLite, or on a server."),
        person(chosen),
        agent("Yes, SQLite needs no server."),
        person("How would the tills read that?"),
        agent("They open the file."),
        person("What does it cost us in a year?"),
    ).knowledge
    assert prepared(known, budget=4000).text.count(chosen) == 1  # among the decisions; the history names it


def test_what_files_were_changed_after_is_none() -> None:
    known = distil(
        person("Where would the day book go, and how do the tills get at it?"),
        agent(PROPOSES),
        person("So how would the tills read that?"),
        agent("It can be read by every till."),
        person("Then make the book."),
        call("Write", file_path=f"{CWD}/book.py", content="a = 1\n"),
        result("File created."),
        agent("The book is a plain text file now."),
        person("Good. What does it cost?"),
    ).knowledge
    assert not choices_gone_on_from(known)
