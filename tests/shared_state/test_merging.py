"""Merging two changes, and what becomes of a write by what its writer had read."""

import pytest
from hypothesis import given, settings

from continuity.shared_state.deciding import WriteDecision, decide
from continuity.shared_state.merging import three_way
from continuity.shared_state.names import StateStrategy
from continuity.shared_state.values import ABSENT, same
from tests.shared_state.test_differences import JSON

RULES = {"/done": "counter", "/tags": "set", "/by/*": "counter"}


def test_it_works():
    base = {"done": 3, "tags": ["a", "b"], "by": {"x": 1}, "title": "Old", "owner": "anna"}
    first = {**base, "done": 5, "tags": ["a", "b", "c"], "by": {"x": 2, "y": 1}, "title": "New"}
    second = {**base, "done": 4, "tags": ["b", "d"], "by": {"x": 3}, "owner": "bert"}
    merged = three_way(base, first, second, RULES)
    assert merged.value == {"done": 6, "tags": ["b", "c", "d"], "by": {"x": 4, "y": 1}, "title": "New", "owner": "bert"}
    assert (merged.places, merged.contested) == ([], 0)


def test_a_place_that_both_changed_is_told():
    merged = three_way({"a": {"b/c": 1}, "l": [1]}, {"a": {"b/c": 2}, "l": [1, 2]}, {"a": {"b/c": 3}, "l": [1, 3]})
    assert merged.value == {"a": {"b/c": 2}, "l": [1, 2]}
    assert (merged.places, merged.contested) == (["/a/b~1c", "/l"], 2)


def test_a_counter_that_both_raised_alike_counts_both():
    assert three_way({"done": 1}, {"done": 2}, {"done": 2}, RULES).value == {"done": 3}
    assert three_way(ABSENT, {"done": 2}, {"done": 3}, RULES).value == {"done": 5}


@pytest.mark.parametrize(("first", "second"), [(10**308, 10**308), (1e308, 1.7e308), (True, 3), ("2", 3)])
def test_what_is_no_counter_any_more_is_told(first, second):
    merged = three_way({"done": 0}, {"done": first}, {"done": second}, RULES)
    assert merged.contested == (0 if first == second else 1)
    assert merged.value == {"done": first}


@pytest.mark.parametrize(
    ("base", "first", "second", "value", "contested"),
    [
        (ABSENT, 1, ABSENT, 1, 0),
        (1, ABSENT, 1, ABSENT, 0),
        (1, ABSENT, ABSENT, ABSENT, 0),
        (1, ABSENT, 2, ABSENT, 1),
        (ABSENT, {"a": 1}, {"b": 2}, {"a": 1, "b": 2}, 0),
    ],
    ids=["new", "removed", "removed twice", "removed and changed", "made twice"],
)
def test_values_that_are_not_there(base, first, second, value, contested):
    merged = three_way(base, first, second)
    assert (merged.value, merged.contested) == (value, contested)


@settings(max_examples=300, deadline=None)
@given(base=JSON, first=JSON, second=JSON)
def test_one_change_is_taken_and_two_lose_nothing_unseen(base, first, second):
    assert same(three_way(base, first, base).value, first)
    assert same(three_way(base, base, second).value, second)
    one, other = three_way(base, first, second), three_way(base, second, first)
    assert one.contested == other.contested
    if not one.contested:
        assert one.value == other.value


WRITE, REFUSE, ASK = WriteDecision.WRITE, WriteDecision.REFUSE, WriteDecision.ASK_BASE
MISSED = {"last_write_wins": WriteDecision.OVERWRITE, "reject": REFUSE, "merge": WriteDecision.MERGE, "manual": WriteDecision.KEEP_BOTH}


@pytest.mark.parametrize("strategy", list(StateStrategy))
def test_what_becomes_of_a_write(strategy):
    def of(**how):
        return decide(strategy=strategy, version=3, **how)

    assert of(base=3) == of(base=3, strict=True) == WRITE
    assert of(base=2) == MISSED[strategy]
    assert of(base=2, strict=True) == of(base=4) == REFUSE
    assert of(base=None) == (WRITE if strategy == StateStrategy.LAST_WRITE_WINS else ASK)
    assert decide(strategy=strategy, version=0, base=None) == decide(strategy=strategy, version=0, base=0) == WRITE
    assert decide(strategy=strategy, version=0, base=1) == REFUSE


def test_while_a_person_is_to_choose_nothing_is_overwritten():
    def of(**how):
        return decide(strategy=StateStrategy.MANUAL, version=3, unresolved=True, **how)

    assert of(base=3) == of(base=1) == WriteDecision.KEEP_BOTH
    assert of(base=None) == ASK
    assert of(base=1, strict=True) == of(base=9) == REFUSE
