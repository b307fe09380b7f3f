"""What counts as a distinctive name."""

from __future__ import annotations

import pytest

from diagnostics.evaluation.names import INTERFACE, names_in


def test_it_works() -> None:
    text = "Fixed parse_header in src/net/reader.py (commit 0a1b2c3d4e5f6a7b); HttpServer and readLine call it."

    assert names_in(text) == {"parse_header", "reader.py", "0a1b2c3d4e5f", "HttpServer", "readLine"}


@pytest.mark.parametrize(
    "text",
    [
        "an ordinary sentence, with words.",
        "short a_b and aB",  # compounds of fewer than seven letters
        "20260102030405",  # digits only: a date, not a hash
        "3.11 and 1.2.3 and 2.5x",
        "a.py",  # too short to tell one session from another
        "0a1b2c",
        "ALLCAPITALS",
        *sorted(INTERFACE),
    ],
)
def test_what_any_session_holds_is_no_name(text: str) -> None:
    assert names_in(text) == set()


def test_a_path_counts_as_its_file_name() -> None:
    assert names_in("~/code/app/main.test.ts, ./docs/guide.md: see @scope/pkg/index.js") == {"main.test.ts", "guide.md", "index.js"}


def test_a_name_within_a_longer_word_is_not_one() -> None:
    assert names_in("éparse_header") == set()


def test_a_long_run_without_an_ending_takes_no_time() -> None:
    assert names_in("QUJD/" * 40_000 + "." + "x" * 60_000) == set()
