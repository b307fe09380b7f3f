"""The lazy choice is the greedy one, and tells nothing twice."""

from __future__ import annotations

import math
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from continuity.knowledge.coverage.carried import Carried, KeptUnit, TermWeight
from continuity.knowledge.coverage.greedy import LEAST_NEW, best_units, chosen

UNITS = st.lists(
    st.tuples(st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.5, 1.0, 2.0, 3.0]), max_size=5), st.integers(1, 9)),
    max_size=8,
)


def brute(weighed: list[dict[str, float]], costs: list[int], room: int, said: set[str]) -> list[int]:
    """Each time the best of all that fit, looked for anew."""
    told, found = set(said), list[int]()
    while True:
        best = (
            max((_adds(weighed[n], costs[n], told), -n) for n in [*range(len(costs))] if n not in found and costs[n] <= room)
            if [n for n in range(len(costs)) if n not in found and costs[n] <= room]
            else (0.0, 0)
        )
        if best[0] <= 0:
            return found
        found.append(-best[1])
        told |= weighed[-best[1]].keys()
        room -= costs[-best[1]]


def _adds(weights: dict[str, float], cost: int, told: set[str]) -> float:
    total = sum(weights.values())
    share = sum(weight for term, weight in weights.items() if term not in told) / total if total else 0.0
    return math.log1p(total) / math.sqrt(cost) * share if share >= LEAST_NEW else 0.0


@given(UNITS, st.integers(0, 30), st.sets(st.sampled_from("abc")))
def test_it_works(units: list[tuple[dict[str, float], int]], room: int, said: set[str]) -> None:
    weighed, costs = [weights for weights, _ in units], [cost for _, cost in units]
    assert chosen(weighed, costs, room, said) == brute(weighed, costs, room, said)


def test_what_was_said_is_not_told_again() -> None:
    texts = ["alpha_one beta_two", "alpha_one beta_two again", "gamma_three"]
    units = tuple(KeptUnit(text, seq, 0, 0, len(text)) for seq, text in zip(count(1), texts, strict=False))
    carried = Carried(units, tuple(TermWeight(term, 1.0) for term in ("alpha_one", "beta_two", "gamma_three")))
    assert [unit.seq for unit in best_units(carried, (), 100, len)] == [1, 3]
    assert [unit.seq for unit in best_units(carried, ("alpha_one", "beta_two"), 100, len)] == [3]
    assert best_units(carried, (), 5, len) == []
