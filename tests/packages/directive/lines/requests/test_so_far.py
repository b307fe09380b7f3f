"""What was done for the request in work, before and after the user's last message."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.model import RequestState
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import CWD, agent, call, distil, person, ran, result
from tests.packages.samples import prepared

REPORT = "Both take an `Amount` now, and the tests pass:\n\n- `total()` in cart.py\n- `refund()` in cart.py\n\nNothing is committed."
ASKED = person("Let the two functions of the cart take an amount instead of a number, and change the tests that call them.")
MORE = person("No, we should be using the strong types instead of numbers wherever we can.")


def edit(path: str) -> tuple[Message, ...]:
    return call("Edit", "e1", file_path=f"{CWD}/{path}", old_string="a = 1", new_string="a = 2"), result("Updated.", "e1")


def told(*messages: Message | tuple[Message, ...]) -> str:
    return prepared(distil(*messages).knowledge).text


WORKED = (ASKED, edit("cart.py"), ran("pytest", "3 passed"), agent(REPORT))


def test_it_works() -> None:
    text = told(*WORKED, MORE, ran("grep -n Amount cart.py", "12: def total", call_id="c5"))
    assert "- Done for it so far: changed cart.py; all of that before the user’s last message, and nothing was changed since" in text
    assert "has passed its check" not in text
    assert "Done last: ran `pytest`" not in text


def test_what_was_changed_since_is_told_as_done() -> None:
    text = told(*WORKED, MORE, edit("shop.py"))
    assert "Done for it so far: changed cart.py, shop.py" in text and "before the user’s last message" not in text


def test_words_that_only_lead_on_ask_for_nothing_new() -> None:
    assert "before the user’s last message" not in told(*WORKED, person("continue"), ran("pytest", "3 passed", call_id="c6"))


def test_only_a_question_is_answered() -> None:
    words = "The cart rounds each line, and the total is rounded once more in `refund()`. That is where the cent goes."
    for asked, answered in (("Why is the total of the cart off by a cent?", True), ("Please write down how the cart rounds.", False)):
        known = distil(person(asked), ran("cat cart.py", "round()"), agent(words)).knowledge
        rows = (*known.requests[:-1], replace(known.requests[-1], state=RequestState.ANSWERED))
        text = prepared(replace(known, requests=rows, situation=replace(known.situation, waiting=True))).text
        assert ("- Done for it so far: answered in what the agent said last, and nothing was changed for it" in text) is answered, asked
