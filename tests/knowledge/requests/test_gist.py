"""The gist of an agent's closing words."""

from __future__ import annotations

import pytest

from continuity.knowledge.requests.gist import gist

ROWS = "\n".join(f"| os.Getwd in file{n}.go | replaced by RepoRoot | unit and integration |" for n in range(12))


def test_it_works() -> None:
    said = f"## Summary\n### Fixed\n{ROWS}\n### Left\n- hooks.go keeps its fallback.\n**Results:**"
    assert gist(said, 200) == "## Summary\n### Left\n- hooks.go keeps its fallback."


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (f"# A\n{ROWS}\n# B\n{ROWS}\nAll of it is pushed.", "# B\nAll of it is pushed."),
        (f"Five calls changed.\n**Fixed:**\n{ROWS}", "Five calls changed."),
        (f"**Fixed:**\n{ROWS}\nThe rest waits.\n# Next", "**Fixed:**\nThe rest waits."),
    ],
)
def test_a_heading_goes_with_what_stood_under_it(said: str, expected: str) -> None:
    assert gist(said, 200) == expected


def test_words_that_fit_keep_their_headings() -> None:
    assert gist("# A\n# B\nDone is the index.", 200) == "# A\n# B\nDone is the index."
