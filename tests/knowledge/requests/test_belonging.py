"""To what a message belongs that says little by itself."""

from __future__ import annotations

from typing import Any

from continuity.knowledge.model import Quote, Ref, Request, RequestKind, RequestState
from continuity.knowledge.requests.belonging import Belonging, belongings, known_by

BACKUP, NO = "Write a backup, one file a night.", "no, keep it as it is"


def row(seq: int, text: str, kind: RequestKind = RequestKind.REQUEST, **fields: Any) -> Request:
    return Request(seq, kind, quote(text, seq), seq, **fields)


def quote(text: str, seq: int) -> Quote:
    return Quote(text, Ref(seq))


def test_it_works() -> None:
    asked = quote("I'd make the timeout 120 s.", 4)
    rows = [row(1, BACKUP), row(3, "ouch. vacuum then?", RequestKind.QUESTION), row(5, NO, RequestKind.ANSWER, answers=asked)]
    assert belongings(rows) == {NO: Belonging(quote(BACKUP, 1), asked)}, "a question between two requests begins no work"


def test_words_that_go_on_belong_to_what_began_the_work() -> None:
    rows = [row(1, BACKUP), row(3, "And commit.", continues=True), row(5, "Now the report."), row(7, "Yes.", continues=True)]
    found = belongings(rows)
    assert {words: of.work.text for words, of in found.items() if of.work} == {"And commit.": BACKUP, "Yes.": "Now the report."}


def test_a_question_that_began_the_session_is_its_work() -> None:
    rows = [row(1, "Why was it silent?", RequestKind.QUESTION), row(3, "yes", answers=quote("Want me to go ahead?", 2))]
    assert belongings(rows)["yes"].work == quote("Why was it silent?", 1)


def test_what_was_taken_back_or_is_not_known_is_no_work() -> None:
    answer = row(3, NO, RequestKind.ANSWER)
    assert not belongings([row(1, BACKUP, state=RequestState.WITHDRAWN), answer])
    assert not belongings([answer])


def test_a_message_is_known_by_how_it_begins() -> None:
    long = "Leave it\n  as it is. " * 50
    assert known_by(long) == known_by(" ".join(long.split())[:320])
    assert len(known_by(long)) == 100
