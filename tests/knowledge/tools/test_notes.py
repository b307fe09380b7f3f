"""What an agent writes down for whoever comes after it."""

from __future__ import annotations

import pytest

from continuity.knowledge.model import Anchor, Truth
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, call, distil, person, result

NOTES = (
    "# Hand-off\n\n- The root cause is that `retry.py` drops the last row of a batch.\n- `data/copy.db` is a copy of the real database with"
    " 329 rows for testing.\n- Nice weather today.\n"
)


def told(*messages: Message) -> list[str]:
    return [anchor.text for anchor in noted(*messages)]


def noted(*messages: Message) -> list[Anchor]:
    return [anchor for anchor in distil(*messages).current() if anchor.method == "note.written"]


def test_it_works() -> None:
    talk = [person("Write down where we are."), call("Write", file_path="HANDOFF.md", content=NOTES), result("ok"), agent("Done.")]
    first, second = noted(*talk)
    assert first.text == "The root cause is that `retry.py` drops the last row of a batch."
    assert second.text.startswith("`data/copy.db` is a copy")
    assert (first.truth, first.critical, first.ref.seq) == (Truth.CLAIMED, False, 2)
    assert first.key != second.key


def test_other_documents_are_no_notes() -> None:
    for path in ("README.md", "docs/guide.md", "planner.py", "specimen.md"):
        assert told(person("Go."), call("Write", file_path=path, content=NOTES), result("ok")) == []


def test_a_file_written_anew_says_no_longer_what_it_said() -> None:
    later = "The fix is in `retry.py`: it now keeps the last row because the loop runs to the end."
    talk = [
        person("Go."),
        call("Write", file_path="notes/plan.md", content=NOTES),
        result("ok"),
        call("Write", "c2", file_path="notes/plan.md", content=later),
        result("ok", "c2"),
    ]
    assert told(*talk) == [later]


def test_an_edit_adds_to_the_notes() -> None:
    more = "The limit is 30 s because `client.py` waits for three retries."
    edit = call("Edit", "c2", file_path="CLAUDE.md", old_string="x", new_string=more)
    assert told(person("Go."), call("Write", file_path="CLAUDE.md", content=NOTES), result("ok"), edit, result("ok", "c2"))[2:] == [more]


@pytest.mark.parametrize("failing", [
    call("Edit", "c2", file_path="CLAUDE.md", old_string="gone", new_string="The limit is 30 s because `client.py` waits."),
    call("Write", "c2", file_path="CLAUDE.md", content="The fix is in `retry.py`: it now keeps the last row of a batch."),
    call("Read", "c2", file_path="CLAUDE.md"),
])  # fmt: skip
def test_a_call_that_fails_leaves_the_notes_as_they_were(failing: Message) -> None:
    wrote = [person("Go."), call("Write", file_path="CLAUDE.md", content=NOTES), result("ok")]
    assert told(*wrote, failing, result("no such text", "c2", failed=True)) == told(*wrote) != []


def test_what_was_not_written_is_not_told() -> None:
    assert told(person("Go."), call("Write", file_path="CLAUDE.md", content=NOTES), result("denied", failed=True)) == []
