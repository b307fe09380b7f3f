"""Questions that wish for something."""

import pytest

from continuity.knowledge.language.requests import is_wish


@pytest.mark.parametrize(
    "question",
    ["Can the switch also be shared?", "even more, can the switch logic also be shared?", "hmm but couldn't we diff against the base?"],
)
def test_it_works(question: str) -> None:
    assert is_wish(question)


@pytest.mark.parametrize(
    "question", ["Where is it still used?", "Can you say where it is used?", "Is this duplicated?", "Why should it be?"]
)
def test_what_asks_to_be_told_something_is_none(question: str) -> None:
    assert not is_wish(question)


@pytest.mark.parametrize("unit", ["'", "a ", "a'", ", ", "can", " "])
def test_hostile_words_end(unit: str) -> None:
    assert not is_wish(unit * (200_000 // len(unit)))
