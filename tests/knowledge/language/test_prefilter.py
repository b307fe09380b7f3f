"""Patterns that can't match a text are told by its words, and none that can match is left out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.knowledge.rules.catalogue import RULES, Setting
from continuity.knowledge.rules.prefilter import EDGE, Prefilter, PrefilteredPattern, needed

TEXTS = [
    "please never push to main, and don't touch the api",
    "i decided to keep it as is, because the root cause was not found",
    "actually, that's wrong: use redis instead of postgres",
    "no emojis, only plain text by friday",
    "✅ done",
]


def test_it_works() -> None:
    sieve = Prefilter([re.compile(r"\bnever\b"), re.compile(r"\balways\b"), re.compile(r"\d")])
    assert sieve.left("never again") == [0, 2]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"never", "whenever"),
        (r"\b(?:no|never) way\b", "there is no way"),
        (r"(?:^|, )ok\b", "ok"),
        (r"\w+ n't\b", "they do n't"),
        (r"'ll\b", "we'll see"),
        (r"\bpriorit", "our priorities"),
        (r"-ahead\b", "go-ahead"),
        (r"\b-x", "a-x"),
        (r"a\Bb", "ab"),
    ],
)
def test_a_pattern_that_matches_is_left(pattern: str, text: str) -> None:
    assert re.search(pattern, text)
    assert Prefilter([re.compile(pattern)]).left(text) == [0]


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\bkeep (?:it|them)\b", {"keep it", "keep them"}),
        (r"\bfix(?:ed|es)?\b", {"fix", "fixed", "fixes"}),
        (r"\b(?:root cause|culprit)\b.{0,40}\bis\b", {"root cause", "culprit"}),
        (r"(?<!so )we don'?t (?!know)\w+", {"we don't ", "we dont "}),
        (r"\bpriorit[yi]\w*", {"priority", "prioriti"}),
        (r"(?:never)?", set()),
        (r"(?:a{2,}|maybe)", set()),
        (r"(?:because ){2,}", {"because "}),
    ],
)
def test_words_are_read_off_a_pattern(pattern: str, words: set[str]) -> None:
    assert {word.replace(EDGE, "") for word in needed(re.compile(pattern))} == words


@pytest.mark.parametrize("setting", list(Setting))
@given(st.lists(st.sampled_from(sorted({word for text in TEXTS for word in text.split(" ")})), max_size=12).map(" ".join))
def test_no_rule_that_matches_is_left_out(setting: Setting, text: str) -> None:
    cues = [rule.cue for rule in RULES.rules if setting in rule.settings]
    left = Prefilter(cues).left(text)
    assert {n for n, cue in enumerate(cues) if cue.search(text)} <= set(left)


@pytest.mark.parametrize("text", ["It was NOT fixed", "nothing", ""])
def test_a_guarded_pattern_finds_what_it_would_alone(text: str) -> None:
    pattern = r"\b(?:not|never) fixed\b"
    alone = re.compile(pattern, re.I).search(text)
    found = PrefilteredPattern(pattern, re.I).search(text)
    assert (found and found.span()) == (alone and alone.span())
