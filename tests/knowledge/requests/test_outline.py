"""A long answer as an outline of its parts."""

from __future__ import annotations

import pytest

from continuity.knowledge.requests.outline import cut, outline, shared

LONG = "word " * 60


def told(text: str, limit: int = 200) -> list[str]:
    return outline(text.splitlines(), limit).splitlines()


def test_it_works() -> None:
    said = f"Two places are wrong:\n1. `a.go` uses the wrong folder. {LONG}\n2. `b.go` as well.\n## Next\n- Fix both.\n- Run the tests."
    first, second = told(said)
    assert first.startswith("Two places are wrong: 1. `a.go` uses the wrong folder.")
    assert first.endswith("2. `b.go` as well.")
    assert second == "Next: Fix both. Run the tests."


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
    assert told("Open:\n| # | Title |\n|---|---|\n| 7 | Spin |\n# Left\n- One.") == ["Open: 7, Spin", "Left: One."]


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
