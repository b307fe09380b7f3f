"""The changed lines of files themselves, as later edits left them."""

from __future__ import annotations

from continuity.knowledge.extractors.outcomes.changed_lines import SIZE
from continuity.transcripts.base.model import Message
from tests.knowledge.outcomes.test_code_sketches import ASKED, edited, written
from tests.knowledge.talk import agent, distil, person

FIRST = edited("src/cart.py", "    return a + b\n", "    total = a + b\n    return total\n", 1)


def hunks(*messages: Message | tuple[Message, ...]) -> dict[str, list[str]]:
    """The lines by path."""
    return {each.path: each.body.split("\n") if each.body else [] for each in distil(*messages).knowledge.situation.hunks}


def test_it_works() -> None:
    later = edited("src/cart.py", "LIMIT = 40\n", "LIMIT = 50\n")
    assert hunks(ASKED, FIRST, later) == {
        "src/cart.py": ["-    return a + b", "+    total = a + b", "+    return total", "…", "-LIMIT = 40", "+LIMIT = 50"]
    }


def test_a_later_edit_takes_the_place_of_what_it_changes() -> None:
    later = edited("src/cart.py", "    return total\n", "    return round(total, 2)\n")
    assert hunks(ASKED, FIRST, later) == {"src/cart.py": ["-    return a + b", "+    total = a + b", "+    return round(total, 2)"]}


def test_what_another_request_changes_stands_alone() -> None:
    later = edited("src/cart.py", "LIMIT = 40\n", "LIMIT = 50\n")
    asked = person("Now name the limit of a basket in it.")
    assert hunks(ASKED, FIRST, agent("Done."), asked, later) == {"src/cart.py": ["-LIMIT = 40", "+LIMIT = 50"]}


def test_of_more_than_may_be_kept_nothing_is() -> None:
    """A part of it would look like all of it: also what comes later is none."""
    large = written("src/rows.py", "\n".join(f"row_{n} = {n}" for n in range(SIZE // 8)))
    assert hunks(ASKED, large) == {"src/rows.py": []}
    assert hunks(ASKED, large, edited("src/rows.py", "row_1 = 1\n", "row_1 = 2\n")) == {"src/rows.py": []}


def test_documents_and_tests_have_none() -> None:
    assert (
        hunks(ASKED, written("README.md", "# The cart\n\nIt rounds.\n", 1), written("tests/test_cart.py", "def test_it(): ...\n", 2)) == {}
    )
