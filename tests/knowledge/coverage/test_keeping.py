"""Units and terms are kept as messages arrive: incremental, bounded, linear in hostile text."""

from __future__ import annotations

import json
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continuity.knowledge import FoldState, fold
from continuity.knowledge.coverage.carried import Source
from continuity.knowledge.coverage.keeping import KeptUnits, read
from continuity.knowledge.coverage.term_uses import ANY, TermUses
from continuity.knowledge.inheritance import inherited
from continuity.knowledge.state.session_outline import carried_of
from continuity.knowledge.state.state import TERMS, UNITS
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, person, ran

SAID = [
    person("The order total of cart_total.py is wrong when tax_rate is zero."),
    agent("The cause is `round_half` in lib/tax.ts: it divides by the rate.\n\n- zero gives NaN\n- one is fine\n\nPerfect!"),
    person("订单总额在税率为零时出错。"),
    *ran("pytest tests/test_tax.py", "FAILED test_zero_rate - expected 12.50, got NaN\n1 failed, 3 passed"),
    agent("```python\ntotal = round_half(price, rate or 1)\n```\nThat keeps the total at 12.50."),
]


def state_after(talk: list[Message]) -> FoldState:
    return fold(FoldState(), enumerate(talk, 1)).state


def test_it_works() -> None:
    carried = carried_of(state_after(SAID))
    told = {unit.source: unit.text for unit in carried.units}
    assert told[Source.PERSON] == "订单总额在税率为零时出错。"
    assert "expected 12.50, got NaN" in told[Source.OUTPUT]
    assert "round_half(price" in told[Source.AGENT] or "keeps the total" in told[Source.AGENT]
    assert {"round_half", "NaN"} <= {each.term for each in carried.weights}


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(SAID), max_size=30), st.integers(0, 30))
def test_a_prefix_and_the_rest_are_as_all_at_once(talk: list[Message], cut: int) -> None:
    begun = FoldState.from_json(json.loads(json.dumps(fold(FoldState(), enumerate(talk[:cut], 1)).state.to_json())))
    rest = list(enumerate(talk[cut:], len(talk[:cut]) + 1))
    ended = fold(begun, rest).state
    assert ended == state_after(talk)
    assert carried_of(ended) == carried_of(state_after(talk))


def test_units_stay_within_their_bounds() -> None:
    talk = [agent(f"Step number{i} of the long work looks at module_{i} and at shared_core once more, nothing else.") for i in range(900)]
    talk.insert(5, person("Everything hangs on the ledger_key of shared_core, module_880 and module_890."))
    state = state_after(talk)
    assert len(state.units) <= UNITS[0]
    assert len(json.dumps(state.units.to_json())) <= UNITS[1] * 1.1
    assert len(state.terms) <= TERMS[0]
    assert len(json.dumps(state.terms.to_json())) <= TERMS[1]
    assert state.terms.use_of(ANY).messages == 901


@pytest.mark.parametrize(
    "text",
    ["x " * 100_000, "word. " * 800_000, "a" * 5_000_000, "`a\n" * 1_000_000, "漢" * 2_000_000, "- a:\n" * 500_000, "|a|\n" * 500_000],
)
def test_a_hostile_message_costs_no_more_than_its_bounds(text: str) -> None:
    uses, units = TermUses(*TERMS), KeptUnits(*UNITS)
    started = process_time()
    read(uses, units, agent(text), 1)
    assert process_time() - started < 2
    assert len(uses) <= TERMS[0]


def test_an_heir_keeps_units_and_terms_with_places_before_its_own() -> None:
    before = state_after(SAID)
    heir = inherited(before)
    assert max(unit.seq for unit in heir.units.values()) <= 0
    assert [unit.text for unit in heir.units.values()] == [unit.text for unit in before.units.values()]
    assert {each.term: each.weight for each in carried_of(heir).weights} == {each.term: each.weight for each in carried_of(before).weights}
