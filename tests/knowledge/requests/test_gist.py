"""The gist of an agent's closing words."""

from __future__ import annotations

import pytest

from continuity.knowledge.directive_parser.grammar import CLIP
from continuity.knowledge.requests.gist import ends_of, gist, only_announces

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


def test_the_end_of_long_words_begins_neither_within_a_list_nor_within_code() -> None:
    lines = [
        "Here is how the totals come about.",
        *(f"{n}. Step {n} of them adds what it is asked to add." for n in range(1, 9)),
        "Shall I?",
    ]
    told = ends_of(lines, 260)
    assert told[0] == lines[0]
    assert told[-2:] == [CLIP, "Shall I?"]
    assert not any(line.startswith(("7.", "8.")) for line in told)
    code = ["It reads so:", "```", *["total += price" for _ in range(12)], "```", "Shall I?"]
    assert ends_of(code, 120) == ["It reads so:", CLIP, "Shall I?"] or "```" not in ends_of(code, 120)


def test_the_beginning_of_long_words_does_not_end_with_what_leads_in() -> None:
    lines = [
        "The cart adds up.",
        "The helpers are these:",
        *(f"- helper {n} of the cart and the shelf" for n in range(9)),
        "That is all of it.",
    ]
    assert ends_of(lines, 70) == ["The cart adds up.", CLIP, "That is all of it."]


@pytest.mark.parametrize(
    ("sentence", "only"),
    [
        ("The exploration found several potential bugs.", True),
        ("Fix both issues.", True),
        ("There's a test failure.", True),
        ("Found the bug!", True),
        ("Delete both functions.", False),
        ("The issue is that both fail.", False),
        ("Fixed the two bugs in `a.py`.", False),
        ("There are two options: keep it or drop it.", False),
    ],
)
def test_a_sentence_that_only_says_that_there_is_something(sentence: str, only: bool) -> None:
    assert only_announces(sentence) is only


def test_of_a_paragraph_that_finds_no_room_the_first_sentences_are_told() -> None:
    lines = ["Do this:", "# Title", "It is broken. " + "It was seen in the log. " * 20, "The end."]
    told = ends_of(lines, 200)
    assert told[2].startswith("It is broken. It was seen") and told[3:] == [CLIP, "The end."]
