"""How much of a reader's sentence stands in a text."""

from __future__ import annotations

import pytest

from diagnostics.evaluation.wording import content_words, share

STEP = "Run mise run fmt, then commit phase_transitions_test.go of #174."


def test_it_works() -> None:
    assert content_words(STEP) == ("run", "mise", "fmt", "commit", "phase_transitions_test.go", "#174")
    assert share(STEP, "Not committed: cli/integration_test/phase_transitions_test.go. `mise run fmt` has not run since #174.") == 1.0
    assert share(STEP, "It runs.") == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("sentence", "text", "expected"),
    [
        ("Verify the counts", "counting was verified", 1.0),
        ("Comment on 174", "comments on 1745", 0.5),  # a number is no part of a longer one
        ("Comment on 174", "", 0.0),
        ("", "anything", 1.0),
        ("It is what it is", "", 1.0),
    ],
)
def test_words_are_found_in_other_forms_and_numbers_only_whole(sentence: str, text: str, expected: float) -> None:
    assert share(sentence, text) == expected
