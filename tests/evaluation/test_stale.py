"""What was replaced must not be told as if it held."""

from __future__ import annotations

import pytest

from diagnostics.evaluation.labels import Labels
from diagnostics.evaluation.stale import is_stale
from diagnostics.evaluation.units import Units
from tests.evaluation.labelled import anchor, labels

FRIDAY = labels(anchor("friday", state="superseded"), anchor("monday"))


def stale(context: str, known: Labels = FRIDAY) -> bool:
    return is_stale(known.superseded[0], known.current, Units.of(context))


def test_it_works() -> None:
    assert stale("The release is on Friday.")
    assert not stale("The release is soon.")


@pytest.mark.parametrize(
    "sentence",
    [
        "Not on Friday.",
        "We don't release on Friday.",
        "No longer Friday.",
        "Friday is superseded.",
        "Friday, replaced.",
        "Another day instead of Friday.",
        "Friday was planned.",
        "Friday: rejected.",
        "Friday: dropped.",
        "~~Friday~~",
        "Earlier: Friday.",
        "Previously Friday.",
    ],
)
def test_a_mark_tells_that_it_holds_no_longer(sentence: str) -> None:
    assert not stale(sentence)


@pytest.mark.parametrize("sentence", ["Nothing but Friday.", "I know: Friday.", "Wash on Friday.", "Notify them on Friday."])
def test_a_mark_is_a_word_of_its_own(sentence: str) -> None:
    assert stale(sentence)


def test_a_mark_counts_on_the_three_lines_around() -> None:
    assert not stale("Friday.\nThis was so.")
    assert stale("Friday.\nA line.\nAnother line.\nAnd another.\nThis was so.")


def test_beside_what_replaced_it_nothing_is_stale() -> None:
    assert not stale("Friday: the old day.\nMonday: the new day.")
    assert stale("Friday.\n" + "line\n" * 8 + "Monday.")


def test_one_unmarked_place_is_enough() -> None:
    assert stale("It is not Friday.\n" + "line\n" * 8 + "Release on Friday.")
