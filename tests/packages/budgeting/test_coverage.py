from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from continuity.knowledge.model import AnchorType
from handoffs.budgeting.coverage import FLOOR, NOTHING, CoverageTracker, terms_of
from tests.packages.samples import KNOWLEDGE, anchor, prepared


def test_it_works() -> None:
    said = CoverageTracker()
    said.add(terms_of("The nightly job calls load_invoices on port 8091."))

    assert said.factor(terms_of("Again: load_invoices uses port 8091 for the nightly job.")) < 0.7
    assert said.factor(terms_of("Refunds live in refund_ledger.py")) == 1.0


def test_names_and_numbers_weigh_more_than_words() -> None:
    terms = terms_of("The import of cmd/run.go fails in transitionFromIdle with #172 and code 9.")

    assert terms.names == {"cmd/run.go", "transitionfromidle", "172", "9"}
    assert terms.words == {"import", "fails", "code"}


def test_a_line_without_terms_keeps_its_value() -> None:
    assert CoverageTracker().factor(NOTHING) == CoverageTracker().factor(terms_of("so be it")) == 1.0


@given(st.text(max_size=120), st.text(max_size=120))
def test_what_is_left_lies_between_the_floor_and_all(before: str, line: str) -> None:
    said = CoverageTracker()
    said.add(terms_of(before))
    first = said.factor(terms_of(line))
    said.add(terms_of(line))

    assert FLOOR <= said.factor(terms_of(line)) <= first <= 1.0


def test_room_goes_to_a_different_fact_before_a_rewording() -> None:
    told = [
        f"The import of batch_{n % 3} fails since table_{n % 3} is locked by worker_{n % 3}, seen for the {n}th time." for n in range(30)
    ]
    facts = tuple(anchor(AnchorType.FACT, text, 20 + n) for n, text in enumerate(told))
    other = replace(anchor(AnchorType.FACT, "The refund_ledger is written by the hourly export.", 15), importance=0.7)
    kept = prepared(replace(KNOWLEDGE, anchors=(*facts, other)), budget=700).package.anchors

    assert other in kept
    assert len(kept) < len(facts)
