"""What a value of shared state may hold: hostile ones are refused in words, and cost no more than their size."""

import json
from typing import Any

import pytest

from continuity.shared_state import names, values
from continuity.shared_state.places import checked_rules, path_of, pointer
from continuity.shared_state.values import BadValue, ValueTooLarge

LIMIT = 64 * 1024


def nested(depth, inside=1):
    value = inside
    for _ in range(depth):
        value = {"a": value}
    return value


def deep_list(depth):
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


HOSTILE = {
    "not a number": float("nan"),
    "infinity inside": {"a": [1, float("-inf")]},
    "too deep": nested(33),
    "far too deep": nested(5000),
    "lists too deep": deep_list(4000),
    "prototype": {"__proto__": {"admin": True}},
    "prototype inside": {"a": [{"__proto__": 1}]},
    "a long key": {"k" * 201: 1},
    "a key that is none": {1: 1},
    "a great number": 10**309,
    "a greater number": -(10**5000),
    "a set": {"a", "b"},
    "bytes": b"abc",
    "an object": object(),
    "a tuple": (1, 2),
    "too much text": "x" * LIMIT,
    "many small things": [0] * LIMIT,
    "a bomb": [["a" * 1000] * 100] * 10,
}


def test_it_works():
    assert values.check({"plan": ["a", 1, 2.5, None, True]}, limit=LIMIT) == len(
        json.dumps({"plan": ["a", 1, 2.5, None, True]}, separators=(",", ":"))
    )


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_value_is_refused_in_words(value):
    with pytest.raises(BadValue) as refused:
        values.check(value, limit=LIMIT)
    told = str(refused.value)
    assert 10 < len(told) < 200
    assert len(refused.value.place) <= 400


@pytest.mark.parametrize(
    "value",
    [nested(32), {"constructor": 1, "prototype": 2, "toString": 3}, {"../../etc": "passwd"}, {"": None}, [], {}, None, "", 0, False],
)
def test_what_only_looks_odd_is_kept(value):
    assert values.check(value, limit=LIMIT) > 0


def test_the_size_is_in_bytes():
    with pytest.raises(ValueTooLarge) as refused:
        values.check("ä" * 40_000, limit=LIMIT)
    assert (refused.value.size, refused.value.limit) == (80_002, LIMIT)


def test_a_digest_does_not_depend_on_the_order_of_keys():
    assert values.digest({"a": 1, "b": [2]}) == values.digest({"b": [2], "a": 1})
    different: list[Any] = [1, 1.0, True, "1", None, [], {}, values.ABSENT]
    assert len({values.digest(each) for each in different}) == 8


@pytest.mark.parametrize(
    ("one", "other"), [(1, True), (1, 1.0), (0, False), ({}, []), ("1", 1), (None, False), ({"a": 1}, {"a": True}), ([1], [1.0])]
)
def test_values_of_different_types_are_not_the_same(one, other):
    assert not values.same(one, other)


@pytest.mark.parametrize("key", ["plan", "a", "9", "task:12.5_x-Y", "k" * 120])
def test_a_key(key):
    assert names.is_key(key)


@pytest.mark.parametrize(
    "key", ["", ".", "..", "../x", "a/b", "a\\b", "-a", "_a", "a b", "a\n", "ä", "a\x00", "k" * 121, "%2e%2e", "a?b", "a#b", "$x"]
)
def test_no_key(key):
    assert not names.is_key(key)


@pytest.mark.parametrize("path", [(), ("a",), ("a/b", "~", "~1", ""), ("plan", "0")])
def test_a_place_is_written_and_read_back(path):
    assert path_of(pointer(path)) == path


@pytest.mark.parametrize("rules", [{"plan": "set"}, {"/plan": "average"}, {"/" + "x" * 500: "set"}, {f"/{n}": "set" for n in range(51)}])
def test_rules_of_merging_that_are_none(rules):
    with pytest.raises(BadValue):
        checked_rules(rules)
