"""Sentences in which somebody weighs something."""

from __future__ import annotations

import pytest

from continuity.knowledge.requests.weighing import only_sets_out, option_preferred, weighs


def test_it_works() -> None:
    assert weighs("The parent lookup might be failing, and then the tree is diffed against nothing.")


@pytest.mark.parametrize(
    "words",
    [
        "Unless the shadow branch was reset or recreated somehow, losing the parent chain.",
        "Actually, I think the simplest fix right now is to just not show the figures at all.",
        "The first checkpoint's parent should be the commit that the branch began with.",
    ],
)
def test_doubts_suppositions_and_turns_are(words: str) -> None:
    assert weighs(words)


@pytest.mark.parametrize(
    "words",
    [
        "Let me look at how the commits are created, since the parent might be missing.",
        "The function returns the parent of the commit and writes it into the list of points.",
        "It might be so.",
        "The user is asking whether the parent might be missing from the list of commits.",
    ],
)
def test_announcements_plain_statements_and_scraps_are_not(words: str) -> None:
    assert not weighs(words)


@pytest.mark.parametrize(
    "words", ["Actually, let me first just run the test again to see if it helps.", "Wait - look at the output:``` a.go:8"]
)
def test_a_turn_that_only_says_what_to_do_next_or_breaks_off_tells_nothing(words: str) -> None:
    assert weighs(words) or "```" in words
    assert only_sets_out(words)


def test_a_turn_that_finds_something_tells_it() -> None:
    assert not only_sets_out("Wait - looking at this more carefully, the issue isn't the timeout value.")


@pytest.mark.parametrize(
    ("words", "mark"),
    [
        ("Option (a) is the safer approach - we should validate the input.", "a"),
        ("I'll go with option 2, which leaves the callers as they are.", "2"),
        ("Option (a) would be better, but it takes every call site.", ""),
        ("Option 1 adds a flag to each of the commands and to the page.", ""),
        ("The better option a user has is to run it again from the start.", ""),
    ],
)
def test_the_option_that_a_sentence_prefers_is_known(words: str, mark: str) -> None:
    assert option_preferred(words) == mark
    assert weighs(words) or not mark
