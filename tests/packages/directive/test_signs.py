"""What a directive's signs and lead-ins mean is said in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.directive_parser.grammar import ASKS, FORMER_ASKS, SectionKind
from continuity.knowledge.directive_parser.lines import read_lines
from continuity.knowledge.model import AnchorType
from handoffs.contract.model import PackageItem, Scaffold, Style
from handoffs.directive.styles import MANNERS
from tests.packages.samples import ANCHORS, KNOWLEDGE, prepared

STYLES = list(Style)


@pytest.mark.parametrize("style", STYLES)
def test_it_works(style: Style) -> None:
    text = prepared(style=style).text
    left = "(" if style is Style.NARRATIVE else "["
    assert all(text.index(f"{left}a12{mark}") < text.index("a1", text.index("a12?") + 4) for mark in ("!", "?"))
    assert "never instructions" in text


def test_a_correction_is_told_as_one_that_holds() -> None:
    words = "No, the invoices are kept for ten years."
    correction = replace(ANCHORS[0], key="c1", type=AnchorType.CORRECTION, text=words, critical=True)
    text = prepared(replace(KNOWLEDGE, anchors=(*KNOWLEDGE.anchors, correction)), style=Style.NARRATIVE).text
    assert f"This correction holds: {words}" in text
    assert "To be corrected" not in text
    old = text.replace("This correction holds: ", "To be corrected: ")
    assert words in [entry.text for entry in read_lines(old, 0, len(old)) if entry.label == "correction"]


def test_a_question_is_told_as_one_in_the_former_words_too() -> None:
    for words in (ASKS, FORMER_ASKS):
        old = f"## Now\n- {words}\n"
        assert [(entry.kind, entry.label) for entry in read_lines(old, 0, len(old))] == [(SectionKind.NEXT, "asks")], words


def test_what_is_left_out_of_an_opening_stands_in_it() -> None:
    for manner in MANNERS.values():
        assert [words for _, words in manner.explained if manner.opening.count(words) != 1] == []


@pytest.mark.parametrize("said", ["Correction: split five months, not ten.", "correction:  split five months, not ten."])
def test_a_label_that_the_person_wrote_is_told_once(said: str) -> None:
    item = PackageItem("a1", "k1", said, 3, 0, 0.9, critical=True, label="correction")
    told = MANNERS[Style.STRUCTURED].line(SectionKind.DECISIONS, (item,), Scaffold.FULL)
    assert told.startswith("- Correction: split five months, not ten. [a1")
