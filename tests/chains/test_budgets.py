"""Whatever the budget, a hand-off of a chain stays within it, or says that critical anchors alone exceed it."""

from __future__ import annotations

from functools import cache

from hypothesis import example, given
from hypothesis import strategies as st

from continuity.knowledge.model import Knowledge
from handoffs.building.preparation import MAX_BUDGET, MIN_BUDGET
from handoffs.contract.model import Scaffold
from tests.chains.passing import COUNTER, handed_off, passed_on
from tests.chains.stories import DOMAINS, story

# What stays beside critical anchors at any budget: waiting or going on, and the next step or the goal.
ESSENTIAL = {"waiting", "next step", "begun", "goal", "request", "goal is request"}


@cache
def knowledge(name: str) -> Knowledge:
    return passed_on(story(name, 5, 0))


def test_it_works() -> None:
    made = handed_off(knowledge("ops"), 4000)
    assert made.package.plan.used == COUNTER.count(made.text) <= 4000


@given(st.sampled_from(list(DOMAINS)), st.one_of(st.integers(MIN_BUDGET, 3000), st.integers(MIN_BUDGET, MAX_BUDGET)))
@example("coding", MIN_BUDGET)
@example("analysis", MAX_BUDGET)
def test_every_budget_is_honoured_or_exceeded_by_critical_anchors_alone(name: str, budget: int) -> None:
    made = handed_off(knowledge(name), budget)
    plan = made.package.plan
    assert plan.used == COUNTER.count(made.text)
    assert plan.exceeded_by_critical == (plan.used > budget)
    if plan.exceeded_by_critical:
        others = {item.label for section in made.package.sections for item in section.items if not item.critical}
        assert others <= ESSENTIAL
        assert plan.scaffold is Scaffold.BARE
