"""Words that name an item of a list by its number."""

from __future__ import annotations

import pytest

from continuity.knowledge.language.numbered_items import items_named


def test_it_works() -> None:
    assert items_named("Fix 1: Atomic lock file (CRITICAL) + Fix 5: Stale lock cleanup") == {1, 5}


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("Issues 2, 3 and 4 are of one kind", {2, 3, 4}),
        ("finding #12", {12}),
        ("Die Punkte 2 und 3", {2, 3}),
        ("fix 3.5 seconds", set()),
        ("bug 300 of the tracker", set()),
        ("step 3", set()),
    ],
)
def test_only_items_of_a_list_are_named(words: str, numbers: set[int]) -> None:
    assert items_named(words) == numbers
