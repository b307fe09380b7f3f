"""Whether a message answers the question that the agent's words end with."""

from __future__ import annotations

import pytest

from continuity.knowledge.language.replies import closing_question, replies

ASKED = "3 is done.\n\n**5**: fail open or closed when the cache is down? I'd say closed."


def test_it_works() -> None:
    assert closing_question(ASKED) == "**5**: fail open or closed when the cache is down?"
    assert replies("open. we had that outage in march. but log it", ASKED)


@pytest.mark.parametrize(
    "words",
    [
        "hm neither. leave the client alone",
        "good that you ask, that is not mine to decide",
        "B, it is dead anyway",
        "1 right. 2 send another one",
    ],
)
def test_answers(words: str) -> None:
    assert replies(words, ASKED)


@pytest.mark.parametrize(
    "words", ["something else: the export is missing a column", "Please write the docs now.", "alright then write tests"]
)
def test_other_things(words: str) -> None:
    assert not replies(words, ASKED)


def test_nothing_was_asked() -> None:
    assert not replies("yes, and another thing", "Done. All tests pass.")
