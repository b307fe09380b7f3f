"""A long answer as an outline of its parts."""

from __future__ import annotations

import pytest

from continuity.knowledge.requests.outline import cut, outline, shared

LONG = "word " * 60


def told(text: str, limit: int = 200) -> list[str]:
    return outline(text.splitlines(), limit).splitlines()


def test_it_works() -> None:
    said = f"Two places are wrong:\n1. `a.go` is wrong. {LONG}\n2. `b.go` as well.\n## Next\n- Fix both.\n- Run the tests."
    assert told(said) == ["Two places are wrong: 2. `b.go` as well. […]", "Next: Fix both. Run the tests."]
    assert told(said.replace(LONG, "")) == [
        "Two places are wrong: 1. `a.go` is wrong. 2. `b.go` as well.",
        "Next: Fix both. Run the tests.",
    ]


def test_a_figure_stands_behind_the_name_of_its_column() -> None:
    said = "Times:\n| Folder | Files | p95 |\n|---|---|---|\n| small | ~60 | 38ms |\n# Left\n- One."
    assert told(said) == ["Times: small: Files ~60, p95 38ms", "Left: One."]


def test_items_without_what_leads_in_to_them_are_parts_of_their_own() -> None:
    assert told("1. The lock is taken twice.\n2. The hash is cut.\n# Next\n- Fix.", 300) == [
        "1. The lock is taken twice.",
        "2. The hash is cut.",
        "Next: Fix.",
    ]


@pytest.mark.parametrize("said", ["One paragraph.\nAnother one.", "# Only\n- one part", ""])
def test_words_without_parts_have_no_outline(said: str) -> None:
    assert outline(said.splitlines(), 200) == ""


def test_a_lead_in_to_code_keeps_what_was_said_before_it() -> None:
    code = "\n".join(f"line {n}" for n in range(9))
    said = f"It fails on Mondays. The log:\n```go\n{code}\n```\nThat is all.\n# Cause\n- The clock."
    assert told(said, 300) == ["It fails on Mondays.", "That is all.", "Cause: The clock."]


def test_a_command_stays_and_a_drawing_where_there_is_room() -> None:
    drawing = "o--o\n|  |\no--o"
    said = f"# Run\n```sh\nmake check\n```\n# Shape\n```\n{drawing}\n```\n# Then\n- Look."
    assert told(said) == ["Run: `make check`", "Shape", *drawing.splitlines(), "Then: Look."]
    assert drawing.splitlines()[1] not in told(said.replace(drawing, drawing * 30))
    assert told(f"```\n{drawing}\n```\n# Then\n- Look.") == [*drawing.splitlines(), "Then: Look."]


def test_the_rows_of_a_table_are_words() -> None:
    assert told("Open:\n| # | Title |\n|---|---|\n| 7 | Spin |\n# Left\n- One.") == ["Open: 7: Spin", "Left: One."]


def test_where_there_are_too_many_parts_those_in_the_middle_give_way() -> None:
    said = "\n".join(f"# Part {n}\n- {LONG}" for n in range(9))
    assert [line[:6] for line in told(said, 300)] == ["Part 0", "Part 1", "[…]", "Part 8"]


def test_a_room_is_shared_by_need() -> None:
    assert shared([10, 100, 100], 110) == [10, 50, 50]
    assert shared([], 5) == []
    assert sum(shared([7, 7, 7], 20)) <= 20


def test_a_line_that_is_too_long_goes_without_its_last_aside() -> None:
    line = "Three calls were made though nine were shown - those are the tools that it used, among them reading and searching"
    assert cut(line, 80) == "Three calls were made though nine were shown"
    assert cut("Set `a - b` where the queue is read by the importer of all the rows", 60).endswith("[…]")


def test_a_line_is_not_cut_behind_the_number_of_its_next_item() -> None:
    assert cut("It holds. Two steps: 1. read the file 2. count what it names", 40) == "It holds. Two steps: 1. read the […]"
    assert cut("It holds for all of them. 2. count what it names", 30) == "It holds for all of them."


def test_a_line_that_leads_in_is_followed_without_a_semicolon() -> None:
    assert told("# Coverage\n- Tests of states:\n- All pass\n# Left\n- One.", 300)[0] == "Coverage: Tests of states: All pass"
