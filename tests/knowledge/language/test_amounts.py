"""Quantities are told from numbers that only name something."""

from __future__ import annotations

import pytest

from continuity.knowledge.language.amounts import amounts


def test_it_works() -> None:
    assert amounts("the timeout is 30 seconds") == ("30 second",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("disk alerts page us at 85 %", ("85 %",)),
        ("never fewer than 3 replicas", (">3 replica",)),
        ("up to 20 replicas", ("<20 replica",)),
        ("articles top out at 1,200 words", ("<1200 word",)),
        ("the mailer retries four times", ("4 time",)),
        ("the export runs at 02:30", ("02:30",)),
        ("chapter 5 is by omar", ()),
        ("db-1 on port 5432", ()),
        ("v1.2.3 is released", ()),
    ],
)
def test_amounts_of_a_statement(text: str, found: tuple[str, ...]) -> None:
    assert amounts(text) == found
