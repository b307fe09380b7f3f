"""What says nothing by itself is no fact of a directive: torn words of a result, a suspicion that the agent went on to look into, a step of
its plan."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.model import Anchor, AnchorType, RequestStep, Truth
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.request_steps import step_words, steps_line
from handoffs.directive.past.claims import said_again
from tests.packages.samples import KNOWLEDGE, anchor, prepared

FACT = "The ledger keeps its totals in `totals.json`, one row per day."


def claim(text: str, truth: Truth = Truth.CLAIMED) -> Anchor:
    return anchor(AnchorType.FACT, text, 50, truth=truth, critical=False, importance=0.8)


def told(each: Anchor) -> bool:
    sections = prepared(replace(KNOWLEDGE, anchors=(each,)), budget=4000).package.sections
    return any(each.text in item.text for section in sections for item in section.items)


def test_it_works() -> None:
    assert told(claim(FACT))
    assert told(claim(FACT, Truth.OBSERVED))


def test_what_is_torn_of_a_result_is_left_out() -> None:
    assert not told(claim("The overlap of days decides whether a row is linked to a sale:", Truth.OBSERVED))
    assert not told(claim("To determine this, the rows have to be read with their day.", Truth.OBSERVED))


def test_a_suspicion_is_no_fact() -> None:
    assert not told(claim("I see an issue - line 12 slices `total` which returns a `str`, not a `Total`."))


def test_a_step_of_a_plan_is_no_fact() -> None:
    assert not told(claim("Change from a typed `Ledger` to a plain `dict` for the rows of the table."))


def test_what_a_message_says_twice_is_told_once() -> None:
    again = replace(claim("**Daily totals** - the ledger keeps its totals in `totals.json`, a row per day"), key="f" * 12)
    another = replace(claim("The ledger keeps its totals in `sums.json`, one row per day."), key="e" * 12)
    keys = said_again((claim(FACT), again, another))
    assert len(keys) == 1 and another.key not in keys


def test_what_the_agent_thinks_of_an_editors_messages_is_left_out() -> None:
    doubts = "Wait, that diagnostic is wrong — `Ledger` is definitely a type."
    assert not told(claim("The diagnostics are stale since my edits to `totals.json` just happened."))
    assert not steps_line(SectionKind.LAST, (RequestStep(doubts, 4, ("ledger.py",)),), 400, 0.5, seq=0)
    assert step_words(RequestStep(f"{doubts} Import it in the tests.", 4, ("ledger.py",))) == "Import it in the tests. → ledger.py"
    assert told(claim("The diagnostics show that `ledger.py` misses the type `Total` of the new branch."))
