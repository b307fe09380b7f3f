"""Topics and patterns, exhaustively and under hostile words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.events.topics import BadTopic, checked_pattern, checked_topic, matches, topic_of

MATCHING = [
    ("*", "a"), ("*", "a:b:c"), ("task:*", "task:completed"), ("task:*", "task:completed:late"), ("task:completed", "task:completed"),
    ("agent:*:failed", "agent:billing:failed"), ("*:failed", "agent:failed"), ("*:*", "a:b"), ("*:*", "a:b:c"),
]  # fmt: skip
OTHERS = [
    ("task:*", "task"), ("task:*", "tasks:completed"), ("task:completed", "task:completed:late"), ("agent:*:failed", "agent:failed"),
    ("agent:*:failed", "agent:a:b:failed"), ("*:failed", "failed"), ("*:*", "a"), ("Task:*", "task:completed"),
]  # fmt: skip
segment = st.text("abc-_.1", min_size=1, max_size=4)
topic = st.lists(segment, min_size=1, max_size=6).map(":".join)
pattern = st.lists(st.one_of(segment, st.just("*")), min_size=1, max_size=6).map(":".join)
BAD = [
    "",
    ":",
    "a:",
    ":a",
    "a::b",
    "a b",
    "a\n",
    "ä",
    "a*",
    "*a",
    "a:**",
    "a/b",
    "a" * 201,
    ":".join("abcdefghijklmnopq"),
    "\x00",
    "a:\u202e",
    "a|b",
    "(a+)+$",
]


def test_it_works() -> None:
    assert topic_of("agent.failed") == "agent:failed"
    assert checked_topic("task:completed") == "task:completed"


@pytest.mark.parametrize(("wanted", "given"), MATCHING)
def test_a_pattern_matches(wanted: str, given: str) -> None:
    assert matches(checked_pattern(wanted), checked_topic(given))


@pytest.mark.parametrize(("wanted", "given"), OTHERS)
def test_a_pattern_does_not_match(wanted: str, given: str) -> None:
    assert not matches(wanted, given)


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_topic_is_refused_clearly(text: str) -> None:
    with pytest.raises(BadTopic, match=r"^A (topic|pattern) "):
        checked_topic(text)
    if text not in ("a*", "*a"):
        with pytest.raises(BadTopic):
            checked_pattern(text)


def test_a_topic_has_no_wildcard() -> None:
    with pytest.raises(BadTopic):
        checked_topic("task:*")


@given(topic)
def test_every_topic_matches_itself_and_the_wildcard(text: str) -> None:
    assert matches(text, text)
    assert matches("*", text)


@given(pattern, topic)
def test_a_pattern_means_what_its_words_say(wanted: str, text: str) -> None:
    """Against another reading: segment by segment, from the front."""
    left, rest = wanted.split(":"), text.split(":")
    if wanted == "*":
        expected = True
    elif left[-1] == "*":
        expected = len(rest) >= len(left) and all(a in ("*", b) for a, b in zip(left[:-1], rest, strict=False))
    else:
        expected = len(rest) == len(left) and all(a in ("*", b) for a, b in zip(left, rest, strict=True))
    assert matches(wanted, text) is expected
