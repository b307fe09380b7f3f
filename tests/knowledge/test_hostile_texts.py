"""No text makes the fold work without end."""

from __future__ import annotations

import time

from continuity.knowledge import FoldState, fold
from continuity.knowledge.extractors import user
from continuity.knowledge.extractors.tools.errors import key_line
from continuity.knowledge.language.acceptance import _CHOICE, acceptance
from tests.knowledge.talk import agent, person, ran

PIECES = ("a", " ", "-", "a-", "1,", "(", "[", '"', "1", "a/", "\n", "a ")
LARGE = 20_000
# Many times what these messages take: what hangs takes far longer.
BOUND_SECONDS = 30.0


def test_it_works() -> None:
    chosen = acceptance("take   the second one")
    assert chosen is not None
    assert chosen.choices == ("2",)


def test_spaces_without_end_are_no_choice() -> None:
    started = time.process_time()
    assert _CHOICE.match("take" + " " * LARGE + "zebra") is None
    assert time.process_time() - started < 1


def test_hostile_messages_are_folded_in_bounded_time() -> None:
    texts = [f"take {(piece * LARGE)[:LARGE]}zebra" for piece in PIECES]
    messages = [speaker(text) for text in texts for speaker in (agent, person)]
    started = time.process_time()
    folded = fold(FoldState(), enumerate(messages, 1))
    assert time.process_time() - started < BOUND_SECONDS
    assert not folded.skipped


def test_a_here_document_whose_name_does_not_end_is_read_in_bounded_time() -> None:
    """Each such command of 20,000 letters took a quarter of a second."""
    script = "$(cat <<" + "a" * LARGE
    started = time.process_time()
    folded = fold(FoldState(), enumerate((person("Go on."), *(each for _ in range(40) for each in ran(script, "", 0))), 1))
    assert time.process_time() - started < 3
    assert not folded.skipped


def test_blank_lines_are_searched_once_for_a_failure() -> None:
    """Each of 8,000 was the beginning of a search through all that follow, and took a third of a second."""
    text = "\n" * LARGE
    started = time.process_time()
    for _ in range(40):
        assert key_line(text) is None
    assert time.process_time() - started < 3
    assert key_line("\n\n  ● cart adds an item\n") == (4, 23)


def test_spaces_are_searched_once_for_a_gap() -> None:
    """100,000 of them took 15 seconds."""
    started = time.process_time()
    assert user._GAP.sub("\n", "a" + " " * 100_000 + "b") == "a" + " " * 100_000 + "b"
    assert time.process_time() - started < 3
    assert user._GAP.sub("\n", "a \n\t\n b\nc") == "a\nb\nc"
