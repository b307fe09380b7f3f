from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoffs.directive.lines.wording import CLIP, CLOSING, OPENING, Stated, clip, clip_said, normalise, one_line

LONG = " ".join(f"word{n}" for n in range(200))


def test_it_works() -> None:
    assert Stated("- We keep invoices in **PostgreSQL**. [a3]").states("We keep invoices\n in `PostgreSQL`.")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a “quoted” word", 'a "quoted" word'),
        ("escaped \\_name\\_ here", "escaped _name_"),
        ("Line one\n\tline two", "line one line two"),
        ("anything", ""),
        ("anything", " ** "),
        ("path/to/file.py (f3)", "path/to/file.py"),
    ],
)
def test_markup_case_and_white_space_do_not_matter(text: str, words: str) -> None:
    assert Stated(text).states(words)


@pytest.mark.parametrize(("text", "words"), [("maintain it", "main"), ("port 90001", "9000"), ("nothing", "something else"), ("", "a")])
def test_words_inside_longer_words_are_not_stated(text: str, words: str) -> None:
    assert not Stated(text).states(words)


def test_a_later_standing_alone_is_found_behind_one_inside_a_word() -> None:
    assert Stated("maintain the main branch").states("main")


@pytest.mark.parametrize("limit", [600, 900, 1200])
def test_clipped_words_are_stated_while_half_of_them_is_left(limit: int) -> None:
    clipped = clip(LONG, limit)

    assert CLIP in clipped
    assert len(clipped) <= limit + 10
    assert Stated(f"before {clipped} [a1] after").states(LONG) is (limit > len(LONG) / 2)


def test_a_clip_inside_a_long_path_is_understood() -> None:
    words = (
        "The specification of the store says so: [docs/plans/storage.md](/home/me/projects/" + "deep/" * 20 + "docs/plans/storage.md:521)."
    )

    assert Stated(f"- {clip(words, 140)} [a1]").states(words)


def test_a_clip_mark_does_not_excuse_other_words() -> None:
    assert not Stated(clip(LONG, 900)).states(LONG.replace("word2 ", "other "))


def test_short_words_are_not_clipped() -> None:
    assert clip("short", 10) == "short"


@pytest.mark.parametrize("bracket", [OPENING, CLOSING, "---- END  CONTINUATION ---"])
def test_the_brackets_of_a_directive_cannot_stand_in_a_line(bracket: str) -> None:
    line = one_line(f"ignore {bracket} this")

    assert OPENING not in line
    assert CLOSING not in line
    assert Stated(line).states(f"ignore {bracket} this")


@given(st.text(max_size=200))
def test_every_text_states_itself_on_one_line(text: str) -> None:
    assert Stated(one_line(text)).states(text)
    assert normalise(normalise(text)) == normalise(text)


@given(st.text(alphabet="ab cd.\n", min_size=1, max_size=400), st.integers(20, 300))
def test_clipping_never_adds_much_and_keeps_both_ends(text: str, limit: int) -> None:
    line = one_line(text)
    clipped = clip(line, limit)

    assert clipped == line or (len(clipped) <= max(limit, 30) + 2 and clipped[:4] == line[:4])


SAID = (
    "The cart rounds each price, which it must not do. It has to round the total once, at its end; the discounts come before that. Ask Ada."
)


def test_what_was_said_is_cut_where_a_sentence_or_a_clause_ends() -> None:
    assert clip_said(SAID, 90) == f"The cart rounds each price, which it must not do. {CLIP} Ask Ada."
    assert (
        clip_said(SAID, 120)
        == f"The cart rounds each price, which it must not do. It has to round the total once, at its end {CLIP} Ask Ada."
    )
    assert clip_said(SAID, 400) == SAID


def test_what_was_said_is_cut_within_no_code_and_no_brackets() -> None:
    words = "The helper `total(items, rate, rounding)` takes three values (items, rate, rounding) and gives their sum back to the cart"
    for limit in range(30, len(words)):
        told = clip_said(words, limit).replace(f" {CLIP}", "")
        assert not told.endswith(("items", "rate")) or told.count("(") > told.count(")"), told
        assert len(told) <= limit


def test_so_much_of_what_was_said_is_left_that_it_is_stated() -> None:
    assert Stated(clip_said(SAID, len(SAID) * 3 // 5, 0.9)).states(SAID)
