"""What the user says while the agent works belongs to that work: it opens nothing, and is no word to act on once the agent went on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.model import TaskStatus
from continuity.transcripts.base.model import AT_WORK, Message
from handoffs.contract.model import SectionKind
from tests.knowledge.talk import agent, call, distil, person, ran, result
from tests.packages.samples import prepared

WORK = "Please make the importer retry what failed."
TOLD = "there are migrations on the test server as well, so I don't think that the old way matters there"
ASKED = "please add a test for the empty file as well"


def edited(path: str, number: int) -> tuple[Message, Message]:
    name = f"e{number}"
    given = {"file_path": f"/home/ada/shop/{path}", "old_string": f"a = {number}", "new_string": f"b = {number}"}
    return call("Edit", name, **given), result("ok", name)


def at_work(text: str) -> Message:
    message = person(text)
    return replace(message, parts=tuple(replace(part, data={AT_WORK: True}) for part in message.parts))


def story(words: str) -> list[Message | tuple[Message, ...]]:
    before = (person(WORK), *edited("importer.py", 1), agent("The table needs a migration. I'll write it next:"))
    after = (*edited("migrate.py", 2), agent("Good point, the new way it is."), *edited("queue.py", 3), *ran("pytest", "3 passed"))
    return [*before, at_work(words), *after]


def test_it_works() -> None:
    knowledge = distil(*story(TOLD)).knowledge
    assert [(row.text.text, row.continues) for row in knowledge.requests] == [(WORK, False), (TOLD, True)]
    assert [task.description for task in knowledge.tasks if task.status is not TaskStatus.COMPLETED] == [WORK]


@pytest.mark.parametrize(("words", "place"), [(TOLD, SectionKind.GOAL), (ASKED, SectionKind.NEXT)])
def test_where_it_is_told(words: str, place: SectionKind) -> None:
    package = prepared(distil(*story(words)).knowledge, budget=4000).package
    assert [section.kind for section in package.sections if any(words in item.text for item in section.items)][:1] == [place]


def test_a_promise_of_the_turn_that_goes_on_is_kept_by_it() -> None:
    text = prepared(distil(*story(TOLD)).knowledge, budget=4000).text
    assert "still open: I'll write it next" not in text
