"""What only says what comes next, and what tells something."""

from __future__ import annotations

import pytest

from continuity.knowledge.language.reply_structure import announces, begins_act
from continuity.knowledge.requests.gist import is_filler, without_announcements, without_last_announcement


def test_it_works() -> None:
    assert begins_act("Now run the whole suite.")
    assert without_announcements("Lint passes. Now run the whole suite.") == "Lint passes."


@pytest.mark.parametrize(
    "words",
    [
        "Now update `store.py` to return the count:",
        "Let me check the parser.",
        "Ich schaue mir jetzt den Leser an.",
        "Now let me also check whether it is used.",
        "Now process the rows that are left.",
    ],
)
def test_an_act_is_announced(words: str) -> None:
    assert announces(words)
    assert is_filler(words)


@pytest.mark.parametrize(
    "words",
    [
        "Now when somebody enables it, they see a prompt.",
        "Now returns the count of what was written.",
        "Now both of them share one pool.",
        "Now users of the store see each row once.",
        "I will not touch the production database.",
        "Next I switch the trigger in `jobs/nightly.py`.",
        "Now update the store. It has twelve rows.",
    ],
)
def test_what_tells_something_is_no_filler(words: str) -> None:
    assert not is_filler(words)


def test_lists_and_code_stay_as_they_are() -> None:
    said = "1. Let me add the queue.\n```\nLet me go.\n```\n- Now add the lock."
    assert without_announcements(said) == said


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("All tests pass.\n\nLet me commit it.", "All tests pass."),
        ("All tests pass.\n\nLet me look.\n\nI'll commit it. Now push it.", "All tests pass."),
        ("Left:\n- Let me add the queue.", "Left:\n- Let me add the queue."),
        ("Let me commit it.", ""),
    ],
)
def test_words_end_before_what_they_announce(said: str, left: str) -> None:
    assert without_last_announcement(said) == left
