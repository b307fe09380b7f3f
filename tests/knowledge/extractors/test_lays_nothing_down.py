"""What a person reports, gives as an example or adds in brackets lays nothing down, and an option named by its number takes its words
along."""

from __future__ import annotations

from continuity.knowledge.model import AnchorType
from tests.knowledge.talk import distil, person

BINDING = (AnchorType.DECISION, AnchorType.CORRECTION, AnchorType.CONSTRAINT, AnchorType.PREFERENCE)


def test_it_works() -> None:
    assert distil(person("Never touch the ledger.")).texts(*BINDING)


def test_the_report_of_a_fault_is_no_rule() -> None:
    said = "If a clerk edits an order after the last scan but BEFORE closing, those edits aren't counted, leading to wrong totals."
    assert not distil(person(f"The totals are off. {said}")).texts(*BINDING)


def test_an_example_decides_nothing() -> None:
    said = "For example, if the clerk adds 10 rows and keeps 5 of them instead of all, the page reports 100%."
    assert not distil(person(f"The page is wrong in a way. {said}")).texts(AnchorType.DECISION)


def test_an_aside_in_brackets_corrects_nothing() -> None:
    said = "What is this order doing here?\n\n(the ids are not from my machine but from a colleague)"
    assert not distil(person(said)).texts(AnchorType.CORRECTION)


def test_an_option_named_by_its_number_takes_its_words_along() -> None:
    said = "given that we can't stop the till, I would like to look at  2. Move the totals before saving (to the new day)"
    assert any("Move the totals" in text for text in distil(person(said)).texts(AnchorType.DECISION))


def test_what_a_person_expects_to_see_is_no_rule() -> None:
    said = "Could we show the day? Like there should always be one for each order, but it may differ."
    assert not distil(person(said)).texts(AnchorType.CONSTRAINT)
