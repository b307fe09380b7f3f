"""The gist of an agent's closing words."""

from __future__ import annotations

import pytest

from continuity.knowledge.requests.gist import gist

ROWS = "\n".join(f"| os.Getwd in file{n}.go | replaced by RepoRoot | unit and integration |" for n in range(12))


FIRST = "os.Getwd in file0.go: replaced by RepoRoot, unit and integration"
SECOND = FIRST.replace("file0", "file1")


def test_it_works() -> None:
    said = f"## Summary\n### Fixed\n{ROWS}\n### Left\n- hooks.go keeps its fallback.\n**Results:**"
    assert gist(said, 200) == f"Fixed: {FIRST}; {SECOND} […]\nLeft: hooks.go keeps its fallback."


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (f"# A\n{ROWS}\n# B\n{ROWS}\nAll of it is pushed.", f"A: {FIRST}; {SECOND} […]\n[…]\nAll of it is pushed."),
        (f"Five calls changed.\n**Fixed:**\n{ROWS}", f"Five calls changed.\nFixed: {FIRST}; {SECOND} […]"),
        (
            "**Fixed:**\n**Left:**\nThe rest waits.\n# Next\n" + "It is long. " * 30,
            "Left: The rest waits.\nNext: " + "It is long. " * 13 + "It is long.",
        ),
    ],
)
def test_a_heading_goes_with_what_stood_under_it(said: str, expected: str) -> None:
    assert gist(said, 200) == expected


def test_words_that_fit_keep_their_headings() -> None:
    assert gist("# A\n# B\nDone is the index.", 200) == "# A\n# B\nDone is the index."
