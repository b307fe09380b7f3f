from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.knowledge.model import AnchorType, Request, RequestKind
from handoffs.budgeting.budget import enough
from handoffs.building.preparation import MAX_BUDGET, MIN_BUDGET
from handoffs.contract.model import Scaffold, Style
from tests.packages.samples import ANCHORS, COUNTER, KNOWLEDGE, anchor, crowded, prepared, quote

CROWDED = crowded(300, critical=3)


def test_it_works() -> None:
    made = prepared(CROWDED, budget=2000)

    assert made.package.plan.used == COUNTER.count(made.text) <= 2000
    assert not made.package.plan.exceeded_by_critical


@given(st.integers(MIN_BUDGET, 8000), st.sampled_from(list(Style)))
def test_every_budget_is_honoured_in_every_style(budget: int, style: Style) -> None:
    made = prepared(CROWDED, budget=budget, style=style)

    assert COUNTER.count(made.text) <= budget


@pytest.mark.parametrize("budget", [1000, 2000, 4000])
@pytest.mark.parametrize("style", list(Style))
def test_a_budget_is_used_where_there_is_enough_to_say(budget: int, style: Style) -> None:
    assert prepared(CROWDED, budget=budget, style=style).package.plan.used >= 0.9 * budget


def test_the_largest_budget_holds_everything_known() -> None:
    made = prepared(CROWDED, budget=MAX_BUDGET)

    assert made.report.coverage == 1.0
    assert all(section.dropped == 0 for section in made.package.sections)


@pytest.mark.parametrize("budget", [MIN_BUDGET - 1, 0, -5, MAX_BUDGET + 1])
def test_a_budget_out_of_range_is_refused_by_name(budget: int) -> None:
    with pytest.raises(ValueError, match=r"^budget: "):
        prepared(budget=budget)


@pytest.mark.parametrize(("budget", "scaffold"), [(150, Scaffold.BARE), (600, Scaffold.LEAN), (4000, Scaffold.FULL)])
def test_the_scaffold_shrinks_before_the_content(budget: int, scaffold: Scaffold) -> None:
    assert prepared(budget=budget).package.plan.scaffold is scaffold


@pytest.mark.parametrize("budget", [150, 400, 1000])
@pytest.mark.parametrize("style", list(Style))
def test_only_critical_anchors_exceed_a_budget_and_the_plan_says_so(budget: int, style: Style) -> None:
    made = prepared(crowded(200, critical=120), budget=budget, style=style)
    plan = made.package.plan
    others = [item for section in made.package.sections for item in section.items if not item.critical]

    assert plan.used > budget
    assert plan.exceeded_by_critical
    assert plan.scaffold is Scaffold.BARE
    assert len([a for a in made.package.anchors if a.critical]) == 120
    assert sum(item.tokens for item in others) <= budget
    assert {item.label for item in others} <= {"waiting", "next step", "goal"}


def test_a_critical_anchor_is_whole_however_long_it_is() -> None:
    long = replace(ANCHORS[0], text="Never deploy before " + "the very long list of checks " * 60 + "is done.")
    made = prepared(replace(KNOWLEDGE, anchors=(long, *ANCHORS[1:])), budget=300)

    assert long.text in made.text
    assert made.package.plan.exceeded_by_critical


def test_a_goal_in_the_words_of_a_critical_anchor_is_said_once_and_whole() -> None:
    words = "Move the nightly billing job over, " + "and keep every one of the reports as it is, " * 12 + "without losing invoices."
    rule = anchor(AnchorType.CONSTRAINT, words, 1)
    made = prepared(replace(KNOWLEDGE, anchors=(rule,), requests=(Request(1, RequestKind.REQUEST, quote(words, 1), 1),)), budget=400)

    assert made.text.count("Move the nightly billing job over") == 1
    assert words in made.text
    assert made.package.anchors == (rule,)


def test_waiting_and_the_next_step_stay_at_any_budget() -> None:
    text = prepared(crowded(60, critical=50), budget=150).text

    assert "Go on: it is your turn" in text
    assert "Next step: “Next I switch the trigger in jobs/nightly.py" in text


def test_important_anchors_come_before_less_important_ones() -> None:
    facts = [a for a in crowded(300).anchors if a.type.value == "CriticalFact"]
    weighed = tuple(replace(a, importance=0.4 + 0.001 * n) for n, a in enumerate(facts))
    kept = prepared(replace(KNOWLEDGE, anchors=weighed), budget=1200).package.anchors

    assert 0 < len(kept) < len(weighed)
    assert min(a.importance for a in kept) > max(a.importance for a in weighed if a not in kept)


def test_the_same_knowledge_always_gives_the_same_text() -> None:
    assert prepared(CROWDED, budget=2000).text == prepared(crowded(300, critical=3), budget=2000).text


@pytest.mark.parametrize(
    ("budget", "tokens", "most"),
    [(4000, 0, 2160), (4000, 60_000, 3080), (4000, 120_000, 4000), (4000, 10**7, 4000), (2000, 0, 2000), (8000, 0, 4320), (150, 0, 150)],
)
def test_a_directive_of_a_short_conversation_is_shorter(budget: int, tokens: int, most: int) -> None:
    assert enough(budget, tokens) == most


def test_what_a_predecessor_handed_on_may_take_all_of_a_budget() -> None:
    handed = tuple(replace(row, seq=-n, last_seq=-n) for n, row in enumerate(CROWDED.requests))
    short, carried = replace(CROWDED, tokens=9000), replace(CROWDED, tokens=9000, requests=handed)
    used = [prepared(known, budget=4000).package.plan.used for known in (short, carried)]
    assert used[0] < used[1] <= 4000
