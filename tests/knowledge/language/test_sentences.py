"""Sentences keep their exact places, whatever markdown does around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.sentences import LONGEST, plain, split


def texts(source: str) -> list[str]:
    return [s.text for s in split(source)]


def test_it_works() -> None:
    assert texts("One. Two!  Three?") == ["One.", "Two!", "Three?"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Use e.g. Redis. Not z.B. Kafka.", ["Use e.g. Redis.", "Not z.B. Kafka."]),
        ("See config.py and v1.2 now", ["See config.py and v1.2 now"]),
        ("It ended... then came back", ["It ended... then came back"]),
        ("I would like to look at  2. Move it now. Then test.", ["I would like to look at  2. Move it now.", "Then test."]),
        ("first line of chat\nSecond line of chat", ["first line of chat", "Second line of chat"]),
        (
            "This sentence is wrapped by an editor at a column and\ngoes on in lower case. Next.",
            ["This sentence is wrapped by an editor at a column and\ngoes on in lower case.", "Next."],
        ),
        ("完成しました。次へ進みます。", ["完成しました。", "次へ進みます。"]),
        ('The "AI! Add all docs" comment stays. Next.', ['The "AI! Add all docs" comment stays.', "Next."]),
        ('He asked "Ready?" and left. Next.', ['He asked "Ready?" and left.', "Next."]),
        ("Write `1. ` with two spaces. Next.", ["Write `1. ` with two spaces.", "Next."]),
        ('The 5" screen works. "Next', ['The 5" screen works.', '"Next']),
        ('He said "stop." Then left.', ['He said "stop."', "Then left."]),
        ("...", []),
        ("", []),
    ],
)
def test_prose_is_split_at_sentence_ends(source: str, expected: list[str]) -> None:
    assert texts(source) == expected


def test_list_items_stay_whole_and_know_their_lead_in() -> None:
    found = split("Files changed:\n- `a.py`: new flag. Off by default.\n- [x] tests\n  1. nested\n\nDone.")
    assert [(s.text, s.kind, s.under, s.marker) for s in found] == [
        ("Files changed:", BlockKind.PROSE, "", ""),
        ("`a.py`: new flag. Off by default.", BlockKind.ITEM, "files changed", "-"),
        ("tests", BlockKind.ITEM, "files changed", "x"),
        ("nested", BlockKind.ITEM, "files changed", "1"),
        ("Done.", BlockKind.PROSE, "", ""),
    ]


def test_nested_items_stand_under_their_parent() -> None:
    found = split("1. Requests:\n   - fix it\n2. Files:\n   - a.py")
    assert [(s.text, s.under) for s in found if s.text in ("fix it", "a.py")] == [("fix it", "requests"), ("a.py", "files")]


def test_headings_name_what_stands_under_them() -> None:
    found = split("## Key Decisions\n\nWe ship.\n\n**Risks:**\n- slow")
    assert [(s.text, s.kind, s.under) for s in found] == [
        ("Key Decisions", BlockKind.HEADING, ""),
        ("We ship.", BlockKind.PROSE, "key decisions"),
        ("**Risks:**", BlockKind.HEADING, ""),
        ("slow", BlockKind.ITEM, "risks"),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "```\nnever do this. always that.\n```",
        "~~~py\nnever do this\n~~~",
        "````\n```\nnever do this\n```\n````",
        "> never do this",
        "    never = 1",
        '{"rule": "never do this"}',
        "2026-01-02T10:00:00 never do this",
        "❯ git push\nnever pushed",
        "error: never do this",
        "<rule attribute>",
        "---",
        "```\nnever closed",
    ],
)
def test_code_quotations_and_pasted_output_are_no_sentences(source: str) -> None:
    assert split(source) == []


def test_words_after_code_are_read_again() -> None:
    assert texts("Look:\n```\nx = 1\n```\nNever do that.") == ["Look:", "Never do that."]


def test_table_rows_are_units_and_rules_are_none() -> None:
    found = split("| file | change |\n|---|---|\n| a.py | new |")
    assert [(s.text, s.kind) for s in found] == [("| file | change |", BlockKind.ROW), ("| a.py | new |", BlockKind.ROW)]


def test_place_in_the_text_is_known() -> None:
    found = split("One word.\n\nTwo words. And three.")
    assert [(s.index, s.left, s.block) for s in found] == [(0, 2, 0), (1, 1, 1), (2, 0, 1)]


def test_plain_form_drops_marks_only() -> None:
    assert plain("**Don’t** use `x`\n  here") == "Don't use x here"


@given(st.text(alphabet="ab .!?\n-*#>`|1[]:\"'é。", max_size=300))
def test_every_sentence_stands_where_it_says(source: str) -> None:
    end = 0
    for sentence in split(source):
        assert source[sentence.start : sentence.end] == sentence.text
        assert sentence.text.strip() == sentence.text != ""
        assert sentence.start >= end
        end = sentence.end


@pytest.mark.parametrize("unit", ["a", ".", "a. ", "- a ", "word ", "*", '."', "`", "|", " ", "<a ", "#", "x\n", "?!", "(("])
def test_a_very_long_line_is_cut_into_bounded_pieces(unit: str) -> None:
    found = split(unit * (200_000 // len(unit)))
    assert all(len(s.text) <= LONGEST for s in found)
