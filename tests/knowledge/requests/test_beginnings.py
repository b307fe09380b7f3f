"""A long answer is told by what it begins with, whole."""

from __future__ import annotations

import pytest

from continuity.knowledge.requests.beginnings import ITEMS, beginning_of
from continuity.knowledge.requests.excerpt import with_end
from continuity.knowledge.requests.outline import is_item
from handoffs.directive.past.reports import answered, plainly, without_told_later

ITEM = "- `part_{0}` of the shop has a table of its own now"
LIST = "\n".join(ITEM.format(n) for n in range(9))
CODE = "```\nshop status\nOpen\n```"


def test_it_works() -> None:
    told = beginning_of(f"The shop has tables.\n\n## Tables\n\n{LIST}\n\nThe end.", 200)
    assert told.startswith(f"The shop has tables.\n## Tables\n{ITEM.format(0)}\n") and told.endswith("\n- … 6 more")
    assert beginning_of(LIST, 430).count("\n") == ITEMS, "no more of a list that is cut"
    assert beginning_of(f"Short.\n{LIST}", 2000) == f"Short.\n{LIST}"


@pytest.mark.parametrize(
    ("text", "room", "told"),
    [
        ("One sentence of the shop. Another one of it, which is longer.", 40, "One sentence of the shop."),
        (f"It prints:\n\n{CODE}\n\nThat is all of it.", 40, "That is all of it."),  # no words that lead in to code left out
        (f"It prints:\n\n{CODE}", 120, f"It prints:\n{CODE}"),
        (f"First.\n\n## Tables\n\n- {'a' * 80}", 40, "First."),  # no heading without what stands below
        (f"- One\n  - a\n  - b\n- {'b' * 70}", 40, "- One\n  - a\n  - b\n- … 1 more"),
        ("Nothingthatfits" * 9, 40, ""),
    ],
)
def test_nothing_is_torn(text: str, room: int, told: str) -> None:
    assert beginning_of(text, room) == told


def test_a_long_answer_has_no_gaps() -> None:
    text = f"The shop has tables for its parts. They are new.\n\n{LIST}\n\n**Cons:**\n- They cost room\n\nShall I go on?"
    told = answered(text, 240)
    assert told.startswith("The shop has tables for its parts. They are new.\n- `part_0`")
    assert "Cons" not in told and all(is_item(line) for line in told.split("\n")[1:])
    assert answered(text, 240, asking=True).endswith("\nShall I go on?")


def test_code_is_taken_out_whole_and_leaves_no_empty_frame() -> None:
    items = "- The shop has a table of carts\n- It sums them at noon\n- It tells of it by mail"
    text = f"**Short:**\n{CODE}\n\n{items}\n- It waits for the bank"
    assert without_told_later(text, [f"{items}\n`Open` shop status"]) == f"**Short:**\n{CODE}\n\n- It waits for the bank"
    assert plainly("It is done, see below.\n\n```\n```\n\n**Long:**") == "It is done, see below."


@pytest.mark.parametrize("text", ["- a\n" * 20_000, "```\n" * 20_001, "a. " * 30_000, "## a\n" * 20_000, "| a |\n" * 20_000])
def test_hostile_words_end(text: str) -> None:
    assert len(beginning_of(text, 500)) <= 520


WAYS = "\n".join(
    f"{n}. **Way {n}** - the cart of part {n} is cleared in the worker `clear_{n}` before the next order comes" for n in range(1, 8)
)


def test_what_an_answer_comes_to_is_told_before_more_of_its_list() -> None:
    said = f"There are seven ways.\n\n{WAYS}\n\nMy pick: way 3, since it needs no lock.\n\nThe others take two days each.\n\n- a\n- b"
    told = with_end(said, beginning_of(said, 300), 300)
    assert told.startswith("There are seven ways.\n1. **Way 1**") and told.endswith("My pick: way 3, since it needs no lock.")


def test_what_stands_before_words_that_lead_in_is_told_without_what_they_lead_to() -> None:
    said = "No empty ones are made. There are two layers:\n\n### Layer 1\n\n" + "```\n" + "x = 1\n" * 90 + "```"
    assert beginning_of(said, 200) == "No empty ones are made."
    whole = "It is done. There are two layers:\n- one\n- two"
    assert beginning_of(f"{whole}\n\n{'All of it is long. ' * 9}", 60) == whole


def test_of_a_list_that_finds_no_room_the_names_of_the_others_are_told() -> None:
    assert beginning_of(WAYS, 240).splitlines()[-1] == "- … also: Way 3; Way 4; Way 5; Way 6; Way 7"
    dashed = WAYS.replace("1. ", "- ").replace("2. ", "- ").replace("3. ", "- ").replace("4. ", "- ")
    assert "… also: Way 3; Way 4" in beginning_of("\n".join(dashed.splitlines()[:4]), 220)
