from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.segments.allocation import RoomPart, allocate, rebalance


@st.composite
def parts(draw: st.DrawFn) -> list[RoomPart]:
    names = draw(st.lists(st.text("abcdef", min_size=1, max_size=3), unique=True, max_size=12))
    made = []
    for name in names:
        costs = draw(st.lists(st.integers(0, 400), min_size=1, max_size=4))
        worths = draw(st.lists(st.floats(0, 3), min_size=len(costs), max_size=len(costs)))
        made.append(RoomPart(name, tuple(sorted(costs)), tuple(worths)))
    return made


THREE = (RoomPart("new", (10, 60, 200), (0.5, 1.3, 0.9)), RoomPart("old", (10, 50, 180), (0.5, 1.1, 0.2)), RoomPart("turn", (40,), (3.0,)))


def test_it_works() -> None:
    assert allocate(THREE, 170).forms == {"turn": 0, "new": 1, "old": 1}
    assert allocate(THREE, 300).forms == {"turn": 0, "new": 2, "old": 1}


def test_a_part_falls_back_to_a_shorter_form() -> None:
    assert allocate(THREE, 115).forms == {"turn": 0, "new": 1, "old": 0}


@given(parts(), st.integers(0, 3000))
def test_the_room_is_never_exceeded_and_every_form_exists(given_parts: list[RoomPart], room: int) -> None:
    made = allocate(given_parts, room)

    assert made.used <= room
    assert set(made.forms) <= {part.key for part in given_parts}
    assert all(0 <= made.forms[part.key] < len(part.costs) for part in given_parts if part.key in made.forms)


@given(parts(), st.integers(0, 3000))
def test_nothing_that_fits_is_left_out(given_parts: list[RoomPart], room: int) -> None:
    made = allocate(given_parts, room)
    assert all(part.costs[0] > room - made.used for part in given_parts if part.key not in made.forms)


@given(parts(), st.integers(0, 3000), st.randoms(use_true_random=False))
def test_the_order_of_the_parts_changes_nothing(given_parts: list[RoomPart], room: int, random: object) -> None:
    shuffled = list(given_parts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert allocate(given_parts, room).forms == allocate(shuffled, room).forms


@given(parts().filter(bool), st.integers(0, 3000), st.data())
def test_an_expansion_stays_within_the_room_and_shifts_the_remainder(given_parts: list[RoomPart], room: int, data: st.DataObject) -> None:
    part = data.draw(st.sampled_from(given_parts))
    form = data.draw(st.integers(0, len(part.costs) - 1))
    before = allocate(given_parts, room)
    after = rebalance(before, part.key, form)

    assert after.used <= room
    if part.costs[form] <= room:
        assert after.forms[part.key] == form
    assert {each.key for each in after.parts} == {each.key for each in given_parts}


@given(parts().filter(lambda made: len(made) > 1), st.integers(0, 3000), st.data())
def test_what_was_expanded_before_yields_only_to_what_is_expanded_now(given_parts: list[RoomPart], room: int, data: st.DataObject) -> None:
    first, second = data.draw(st.permutations(given_parts))[:2]
    last = len(first.costs) - 1
    made = rebalance(rebalance(allocate(given_parts, room), first.key, last), second.key, 0)

    if first.costs[last] + second.costs[0] <= room:
        assert (made.forms[first.key], made.forms[second.key]) == (last, 0)


def test_unknown_parts_and_forms_are_refused() -> None:
    made = allocate(THREE, 100)
    with pytest.raises(KeyError):
        rebalance(made, "none", 0)
    with pytest.raises(IndexError):
        rebalance(made, "turn", 1)
