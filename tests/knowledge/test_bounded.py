"""Bounded maps forget their oldest entries, and say what they cost."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.knowledge.language.clip import beginning, clip, one_line, shorten
from continuity.knowledge.model import Quote, Ref, Task, TaskStatus
from continuity.knowledge.state.bounded_maps import BoundedMap
from continuity.knowledge.state.codec import cost, decode, encode
from continuity.knowledge.state.open_items import Proposal


def test_it_works() -> None:
    kept: BoundedMap[str] = BoundedMap(str, 2, 1000)
    assert kept.put("a", "1") == []
    assert kept.put("b", "2") == []
    assert kept.put("c", "3") == ["1"]
    assert list(kept) == ["b", "c"]


def test_size_bounds_as_number_does() -> None:
    kept: BoundedMap[str] = BoundedMap(str, 100, 60)
    assert kept.put("a", "x" * 20) == []
    assert kept.put("b", "y" * 40) == ["x" * 20]
    assert kept.put("c", "z" * 100) == ["y" * 40, "z" * 100]
    assert len(kept) == 0


def test_putting_again_makes_newest_and_replacing_does_not() -> None:
    kept: BoundedMap[str] = BoundedMap(str, 9, 1000)
    for key in "abc":
        kept.put(key, key)
    kept.put("a", "A")
    kept.replace("b", "B")
    assert kept.items() == [("b", "B"), ("c", "c"), ("a", "A")]


def test_a_copy_is_its_own() -> None:
    kept: BoundedMap[int] = BoundedMap(int, 9, 1000)
    kept.put("a", 1)
    twin = kept.copy()
    twin.put("b", 2)
    assert (len(kept), len(twin), kept == twin) == (1, 2, False)


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.text(max_size=30)), max_size=60))
def test_bounds_hold_after_every_change_and_survive_storage(changes: list[tuple[str, str]]) -> None:
    kept: BoundedMap[str] = BoundedMap(str, 5, 200)
    for key, value in changes:
        kept.put(key, value)
        assert len(kept) <= 5
        assert len(json.dumps(kept.to_json(), separators=(",", ":"))) <= 202
    again = BoundedMap(str, 5, 200).load(json.loads(json.dumps(kept.to_json())))
    assert again == kept


@pytest.mark.parametrize(
    "value",
    [
        Quote("w", Ref(1, 2, 3, 4)),
        Task("k", "d", TaskStatus.BLOCKED, 1, 2, "m", ("a",), ("b", "c"), "why", "7"),
        Proposal(None, Quote("w", Ref(1)), (Quote("o", Ref(2)),)),
    ],
)
def test_values_come_back_as_they_were(value: object) -> None:
    raw = json.loads(json.dumps(encode(value)))
    assert decode(type(value), raw) == value
    assert cost(value) == len(json.dumps(encode(value), separators=(",", ":")))


def test_what_has_no_json_form_is_refused() -> None:
    with pytest.raises(TypeError):
        encode(object())


@given(st.text(max_size=400), st.integers(1, 100))
def test_clipping_bounds_characters_and_bytes(text: str, limit: int) -> None:
    short = clip(text, limit)
    assert text.startswith(short)
    assert len(short) <= limit
    assert len(json.dumps(short)) <= max(2 * limit + 2, 14)


def test_shortening_moves_the_span() -> None:
    assert shorten(Quote("abcdef", Ref(1, 0, 10, 16)), 3) == Quote("abc", Ref(1, 0, 10, 13))
    assert one_line("a\n  b\tc", 10) == "a b c"


@pytest.mark.parametrize(("text", "limit", "told"), [
    ("Run the tests again. Expected: they pass", 24, "Run the tests again."),
    ("Run the tests again\nExpected: they pass", 23, "Run the tests again"),
    ("It has two steps: 1. read it", 22, "It has two steps: 1."),
    ("A heading\n" + "word " * 40, 120, "A heading\n" + "word " * 21 + "word"),
    ("Whole. ", 7, "Whole. "),
])  # fmt: skip
def test_what_is_too_long_ends_with_a_sentence_a_line_or_a_word(text: str, limit: int, told: str) -> None:
    assert beginning(text, limit).rstrip() == told.rstrip()


def test_looking_many_up_gives_those_that_are_there() -> None:
    kept: BoundedMap[int] = BoundedMap(int, 9, 1000)
    kept.put("a", 1)
    kept.put("b", 2)
    assert kept.among(["b", "c", "b"]) == [2, 2]
