"""What the agent announced and then did: it is told neither as the next step nor as its last thought."""

from __future__ import annotations

import pytest

from continuity.knowledge.extractors.announced_looks import announces_look, announces_run
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from tests.knowledge.talk import CWD, agent, call, distil, person, ran, result
from tests.packages.samples import prepared

ASKED = person("Show the usage first, and the error behind it, in the command's answer.")
LOOK = "Let me read the current state of the file first."
RUN = "Let me run the tests to verify the fixes."


def told(*messages: Message | tuple[Message, ...]) -> str:
    return prepared(distil(*messages).knowledge).text


def read(path: str, failed: bool = False) -> tuple[Message, ...]:
    return call("Read", "r1", file_path=f"{CWD}/{path}"), result("1\tpackage main", "r1", failed=failed)


def edit(path: str) -> tuple[Message, ...]:
    return call("Edit", "e1", file_path=f"{CWD}/{path}", old_string="a = 1", new_string="a = 2"), result("Updated.", "e1")


def thought(text: str) -> Message:
    return Message(Role.ASSISTANT, (Part(PartKind.REASONING, Voice.AGENT, text),), "", cwd=CWD)


def test_it_works() -> None:
    assert LOOK in told(ASKED, agent(LOOK))
    assert LOOK not in told(ASKED, agent(LOOK), read("main.go"))
    assert LOOK in told(ASKED, agent(LOOK), read("main.go", failed=True))


def test_a_run_is_done_with_its_result_and_not_by_a_look() -> None:
    assert RUN not in told(ASKED, edit("main.go"), agent(RUN), ran("make test"), call("Bash", "c9", command="make all"))
    assert RUN in told(ASKED, edit("main.go"), agent(RUN), read("main.go"))


@pytest.mark.parametrize("words", ["Let me check the file and fix it.", "Let me update the helper.", "I need to add a test to run."])
def test_what_goes_on_to_a_change_is_no_mere_look(words: str) -> None:
    assert not announces_look(words) and not announces_run(words)


def test_of_the_last_words_the_rest_is_told() -> None:
    text = told(
        ASKED, edit("main.go"), agent("The diagnostics are older than this change. Let me also verify the import."), read("main.go")
    )
    assert "The diagnostics are older than this change." in text and "Let me also verify" not in text


def test_a_thought_is_over_once_files_were_changed_and_checked() -> None:
    plan = "I have to do two things here:\n1. Remove the function for the metadata\n2. Remove the unused import of it\n\nLet me do both."
    assert "Remove the unused import" in told(ASKED, thought(plan))
    assert "Remove the unused import" not in told(ASKED, thought(plan), edit("main.go"), ran("make test"))


def test_the_last_thought_says_what_comes_next() -> None:
    said = "I need another version of this helper."
    thinks = (
        "Let me add `try_total` to the cart that returns None where the cart is empty, and then update the tests of it to use that one."
    )
    text = told(ASKED, edit("main.go"), agent(said), read("cart.go"), thought(thinks))
    assert f"Next step: “{thinks}”" in text and "last thought" not in text
    assert "Next step: “Let me add" not in told(ASKED, thought(thinks), edit("main.go"), agent(said))


def test_a_step_that_points_to_a_list_is_told_with_it() -> None:
    points = "1. The name of the second test says nothing of the case\n2. No assertion on the usage that is printed first"
    found = thought(f"The reviewer found two issues:\n\n{points}\n\nLet me fix them.")
    looks = call("Read", "r9", file_path=f"{CWD}/cart.go")
    text = told(ASKED, edit("main.go"), found, agent("Let me fix the issues identified by the reviewer."), looks)
    assert "> Let me fix the issues identified by the reviewer.\n  > 1. The name of the second test" in text
    assert text.count("No assertion on the usage") == 1
    other = told(ASKED, edit("main.go"), found, agent("Let me fix the usage of the command."), looks)
    assert "Next step: “Let me fix the usage of the command.”" in other


def test_an_offer_that_the_user_took_is_no_task_beside_it() -> None:
    offer = "The total is rounded twice.\n\n## The fix\nOnly `total()` should round. Would you like me to implement the fix?"
    text = told(person("Why are the totals of the cart off by a cent?"), read("main.go"), agent(offer), person("yes"), edit("main.go"))
    assert "- The user said yes to: “The total is rounded twice. The fix: Only `total()` should" in text
    assert "[ ]" not in text and text.count("Would you like me to implement") == 1
