"""What a tool says of its own trouble, outside of any call."""

from __future__ import annotations

import pytest

from continuity.knowledge.model import AnchorType, Truth
from continuity.transcripts.base.model import Role
from tests.knowledge.talk import distil, harness, person

QUOTA = "litellm.RateLimitError: Quota exceeded for the model of this region."


def test_it_works() -> None:
    (error,) = distil(person("Explain the parser."), harness(f"Model: large\n{QUOTA}\nCost: 0")).current(AnchorType.ERROR)
    assert (error.text, error.truth, error.critical) == (QUOTA, Truth.OBSERVED, False)


@pytest.mark.parametrize(
    "text",
    [
        "[ERROR] You did not use a tool in your previous response! Please retry.",
        "TypeError: can't multiply sequence by non-int of type 'float'",
        "fatal: not a git repository",
        r"docs\RULES.md: file not found error",
    ],
)
def test_a_line_that_names_an_error_is_one(text: str) -> None:
    assert distil(harness(text)).texts(AnchorType.ERROR) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "If you meet an Error, stop.",
        f"<system-reminder>\n{QUOTA}\n</system-reminder>",
        "Errors are told in red.",
        "Error: 0",
    ],
)
def test_other_words_of_a_tool_are_none(text: str) -> None:
    assert distil(harness(text)).current(AnchorType.ERROR) == []


def test_a_long_prompt_tells_of_no_trouble() -> None:
    assert distil(harness(f"{QUOTA}\n" + "Be careful with rows. " * 300, Role.SYSTEM)).current(AnchorType.ERROR) == []


@pytest.mark.parametrize("unit", ["a", "Error: ", "\n", "a.", "A", ": file not found"])
def test_hostile_words_end(unit: str) -> None:
    assert distil(harness(unit * (100_000 // len(unit)))).state.through_seq == 1
