"""An item is stated where all its tokens stand in one line with its two neighbours on either side."""

from __future__ import annotations

import pytest

from diagnostics.evaluation.coverage import covered, is_stated
from diagnostics.evaluation.units import LINE_CHARS, Units


def apart(lines: int) -> str:
    """Two tokens with so many lines from one to the other."""
    return "\n".join(["one apple", *["between"] * (lines - 1), "one pear"])


def test_it_works() -> None:
    units = Units.of("We keep\nthe Apple\nand the pear.")

    assert covered(("apple", "pear"), units.windows)
    assert not covered(("apple", "plum"), units.windows)


@pytest.mark.parametrize(("lines", "together"), [(0, True), (1, True), (4, True), (5, False), (9, False)])
def test_tokens_stand_together_within_five_lines(lines: int, together: bool) -> None:
    context = apart(lines) if lines else "one apple, one pear"

    assert covered(("apple", "pear"), Units.of(context).windows) is together


def test_empty_lines_count_as_lines() -> None:
    assert not covered(("apple", "pear"), Units.of("apple\n\n\n\n\npear").windows)


def test_a_long_line_is_as_many_lines_as_it_fills() -> None:
    padding = ("word " * (LINE_CHARS // 5)).strip()

    near = Units.of(f"apple {padding} {padding} pear")
    far = Units.of(f"apple {padding} {padding} {padding} {padding} {padding} pear")

    assert all(len(line) <= LINE_CHARS for line in far.lines)
    assert covered(("apple", "pear"), near.windows)
    assert not covered(("apple", "pear"), far.windows)


@pytest.mark.parametrize(
    ("token", "text", "there"),
    [
        ("fail", "three tests failed", True),
        ("#17", "see #17.", True),
        ("#17", "see #174", False),
        ("av-2il", "task av-2il is open", True),
        ("av-2il", "task av-2il.1 is open", False),
        ("av-2il", "task av-2il-3 is open", False),
        ("v1", "v1.2", False),
        ("v1", "v12, then v1", True),
        ("30", "130 s", True),  # only what follows makes a number longer
        ("30", "30.5 s", False),
        ("30", "30. Next", True),
        ("a.b", "axb", False),
    ],
)
def test_a_token_may_be_part_of_a_word_but_not_of_a_longer_number(token: str, text: str, there: bool) -> None:
    assert is_stated(token, text) is there


def test_no_tokens_cover_nothing() -> None:
    assert not covered((), Units.of("anything").windows)


def test_names_beyond_the_cap_on_indexes_are_not_stated() -> None:
    units = Units.of(" ".join(f"some_name_{chr(97 + number)}x" for number in range(26)))

    assert covered(("some_name_ax",), units.windows)
    assert not covered(("some_name_zx",), units.windows)
