import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continuity.transcripts import clean_json, clean_text, clip
from continuity.transcripts.base.sanitise import MAX_INTEGER, clip_json


def nested(levels, inner):
    for _ in range(levels):
        inner = [inner]
    return inner


def depth(value):
    return 1 + max((depth(item) for item in value), default=0) if isinstance(value, list) else 0


def test_it_works():
    assert clean_text("a\x00b\ud800c") == "a�b�c"
    assert clean_json({"k\x00": ["\udfff", 1, None, True]}) == {"k�": ["�", 1, None, True]}


@pytest.mark.parametrize(
    "text", ["", "plain", "naïve café", "漢字", "🤣 surrogate pairs are one character here", "tab\tand\nnewline", "\ufffd"]
)
def test_clean_text_is_not_copied(text):
    assert clean_text(text) is text


@pytest.mark.parametrize("value", [{"a": [1, 2.5, None, True, "x"]}, [], {}, "x", 5, None, {"": {"n": {"n": []}}}])
def test_clean_values_are_not_copied(value):
    assert clean_json(value) is value


@pytest.mark.parametrize(("value", "cleaned"), [
    (float("nan"), "[nan]"),
    (float("inf"), "[inf]"),
    ([-math.inf], ["[-inf]"]),
    (2**63, str(2**63)),
    (-(2**70), str(-(2**70))),
    (MAX_INTEGER, MAX_INTEGER),
    ({1: "a"}, {"1": "a"}),
    (("a", "b"), ["a", "b"]),
])  # fmt: skip
def test_what_json_cannot_hold_is_marked(value, cleaned):
    assert clean_json(value) == cleaned


def test_an_integer_too_long_to_write_is_marked():
    assert clean_json(10**5000) == "[integer of 16,610 bits]"


def test_nesting_stops_at_the_limit():
    assert clean_json(nested(64, "x")) == nested(64, "x")
    cut = clean_json(nested(65, "x"))
    assert depth(cut) == 64
    assert "[nested deeper than 64 levels]" in json.dumps(cut)
    assert clean_json(nested(900, "x")) == nested(64, "[nested deeper than 64 levels]")
    assert clean_json({"a": {"b": {}}}, max_depth=2) == {"a": {"b": "[nested deeper than 2 levels]"}}


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(exclude_categories=[])), inner, max_size=4),
    max_leaves=30,
)


@settings(deadline=None)
@given(JUNK)
def test_cleaned_values_are_strict_json_and_stay_as_they_are(value):
    cleaned = clean_json(value)
    written = json.dumps(cleaned, allow_nan=False, ensure_ascii=False).encode("utf-8")
    assert b"\x00" not in written
    assert "\\u0000" not in json.dumps(cleaned)
    assert clean_json(cleaned) is cleaned


def test_clipping_leaves_out_the_middle_and_names_the_size():
    text, size = clip("a" * 500 + "b" * 500, 200)
    assert size == 1000
    assert 190 <= len(text) <= 200
    assert text.startswith("aaa")
    assert text.endswith("bbb")
    assert "of 1,000 characters left out" in text


@settings(deadline=None)
@given(st.text(max_size=300), st.integers(min_value=0, max_value=200))
def test_clipping_never_exceeds_the_limit(text, limit):
    clipped, size = clip(text, limit)
    assert len(clipped) <= limit
    assert (clipped, size) == (text, 0) if len(text) <= limit else size == len(text)


def test_clipping_names_exactly_what_is_missing():
    text, size = clip("x" * 10_000, 1000)
    assert f"[... {size - text.count('x'):,} of 10,000 characters left out ...]" in text


def test_clipping_a_value_clips_its_strings_and_keeps_the_rest():
    value = {"a": ["x" * 500, 1], "b": "short"}
    clipped, size = clip_json(value, 100)
    assert size == 500
    assert len(clipped["a"][0]) == 100
    assert (clipped["a"][1], clipped["b"]) == (1, "short")
    assert clip_json(value, 500) == (value, 0)


def test_a_sign_by_itself_is_cleaned_as_among_others():
    """What is looked for first is all that is cleaned: a text is left as it is exactly where cleaning would change nothing."""
    signs = [chr(code) for code in range(0x80, 0x110000)]
    among = set(clean_text("\x00" + "b".join(signs)))
    alone = {sign for sign in signs if clean_text(f"b{sign}b") == f"b{sign}b"}
    assert alone == among - {"b"}
    assert "\u202e" not in alone and "é" in alone
