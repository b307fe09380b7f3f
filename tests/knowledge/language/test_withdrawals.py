"""What a speaker takes back in the same breath is not told as if it held."""

import pytest

from continuity.knowledge.language.withdrawals import takes_back, without_taken_back
from continuity.knowledge.model import RequestKind
from tests.knowledge.talk import agent, call, distil, person, result

LOGS = "The log shows a hit, so the cache is warm."


def test_it_works():
    text = f"The real issue seems to be the cache. It is cold after a start.\n\nActually, wait. {LOGS}"
    assert without_taken_back(text) == f"Actually, wait. {LOGS}"


@pytest.mark.parametrize("words", [
    "Actually, wait.", "But wait - who sets it?", "Hmm, no, that's not right.", "Wait, the log says otherwise", "Hold on, it is set twice.",
    "On second thought, the queue is enough.", "Moment, das stimmt so nicht.", "Scratch that.",
])  # fmt: skip
def test_words_that_take_back(words):
    assert takes_back(words)


@pytest.mark.parametrize("words", [
    "Wait for the build to end.", "The actual cause is the cache.", "No, the tests pass.", "Actually running it shows three hits.",
    "The job must wait.", "That's wrong in the docs as well as in the code, so both change.",
])  # fmt: skip
def test_words_that_do_not(words):
    assert not takes_back(words)


def test_lists_stay_and_a_paragraph_before_is_left_alone():
    text = f"It is read here:\n- `read_all` in a.py\n\nThe queue is fine.\n\nThe cause is the cache. Wait, no: it is off. {LOGS}"
    assert without_taken_back(text) == f"It is read here:\n- `read_all` in a.py\n\nThe queue is fine.\n\nWait, no: it is off. {LOGS}"
    left = f"It is read here:\n- `read_all` in a.py\n\n[…]\n\nWait, no: it is off. {LOGS}"
    assert without_taken_back(text, thought=True) == left, "a thought goes on from it: a sign stands for it"


def test_what_the_next_message_takes_back_is_not_among_what_was_told():
    looked = call("Read", "r1", file_path="/home/ada/shop/cache.py"), result("x = 1", "r1")
    found = distil(
        person("Find out why the first page is slow."),
        agent("There are three caches.\n\nThe cause is the second one: it is emptied at each start of the shop."),
        *looked,
        agent(f"Wait, that is the wrong one. {LOGS}"),
        call("Read", "r2", file_path="/home/ada/shop/page.py"),
    )
    row = found.knowledge.requests[-1]
    assert (row.kind, [quote.text for quote in row.told]) == (RequestKind.REQUEST, ["There are three caches."])
