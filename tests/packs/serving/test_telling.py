"""What of a session's words is worth a stranger's reading, and what is an order, a question, a report or a slip."""

import pytest

from handoffs.capture.lasting_sentences import explains, is_lasting, is_slip


def test_it_works():
    assert is_lasting("Caching the parser in a global broke the tests.")
    assert not is_lasting("Please run the tests again now")


@pytest.mark.parametrize(
    "text",
    [
        "`reader.py` is in the `mail` package, not in `core`.",
        "Option 1 doesn't work since the hash of the commit can change.",
        "Never change the parser without its test.",
        "Please never run the migration by hand, because it locks the table.",
        "The fix is to use a folder of its own for each test.",
    ],
)
def test_what_tells(text):
    assert is_lasting(text)


@pytest.mark.parametrize(
    "text",
    [
        "yes, please do",
        "ok, let's do the first one now",
        "can you check the other handlers, too",
        "Implementation complete. What would you like to do? 1. Merge 2. Push. Which option?",
        "Why does the parser fail on an empty line?",
        "(the ids are not from my machine but a colleague's)",
        "not as a comment, but as a document attached to it",
        "**`reader.py`**: Updated the misleading comment on hooks",
        "Removed the `read_index` function (no longer needed)",
        "Pushed. The build is clean now.",
        "No active merge conflicts right now.",
        "too short",
    ],
)
def test_what_does_not(text):
    assert not is_lasting(text)


def test_what_an_agent_is_about_to_do_explains_nothing():
    assert explains("Keep the last line of the header") and explains("The reader dropped the last line.")
    assert not explains("Add some debug logging to understand what happens")
    assert not explains("All integration tests pass again.")


@pytest.mark.parametrize(
    "cause",
    [
        'a.go:4:2 "encoding/json" imported and not used',
        "a.py:3: SyntaxError: invalid",
        "a.go:11:18 expected ';', found x",
        "x.go:9 Not equal:",
    ],
)
def test_slips(cause):
    assert is_slip(cause)


@pytest.mark.parametrize("cause", ["parser.py:3: the header was cut", "resume_test.go:439 failed to merge branch master: exit status 1"])
def test_causes(cause):
    assert not is_slip(cause)


@pytest.mark.parametrize("text", ["and " * 20_000, "(" * 60_000, "**" + "a" * 60_000, "now, " * 20_000, "a/" * 40_000 + ":1"])
def test_hostile_texts_are_bounded(text):
    is_lasting(text)
    is_slip(text)
