"""What the user says while the agent works belongs to that work: it opens nothing, and is no word to act on once the agent went on."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.model import TaskStatus
from continuity.transcripts.base.model import AT_WORK, Message
from tests.knowledge.talk import agent, call, distil, person, ran, result
from tests.packages.samples import prepared

WORK = "Please make the importer retry what failed."
TOLD = "there are migrations on the test server as well, so I don't think that the old way matters there"
LATER = "the staging server runs the same version, I believe, so the migrations there are the same ones as well"
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


def test_it_is_told_under_the_request_as_what_the_agent_has_gone_on_after() -> None:
    text = prepared(distil(*story(TOLD)).knowledge, budget=4000).text
    now = text.partition("## How it stands")[0]
    assert f"- The user asked: “{WORK}”" in now
    assert f"- The user added: “{TOLD}”" in now
    assert "Then the user said" not in text


def test_what_asks_for_something_opens_work_of_its_own() -> None:
    assert f"- The user asked: “{ASKED}”" in prepared(distil(*story(ASKED)).knowledge, budget=4000).text


def test_words_that_nobody_has_reacted_to_still_wait() -> None:
    before = (person(WORK), *edited("importer.py", 1), agent("I'll write the migration next:"), *edited("migrate.py", 2))
    assert f"- Then the user said: “{TOLD}”" in prepared(distil(*before, at_work(TOLD)).knowledge, budget=4000).text


def test_a_successor_knows_both_as_what_the_user_said_to_the_request() -> None:
    text = prepared(distil(*story(TOLD), at_work(LATER)).knowledge, budget=4000).text
    assert text.index(f"The user added: “{TOLD}”") < text.index(f"Then the user said: “{LATER}”")
    after = distil(person(text)).knowledge
    assert [row.text.text for row in after.requests if row.text.text] == [WORK, TOLD, LATER]
    assert after.situation.latest_request is not None
    assert after.situation.latest_request.text == LATER


def test_a_promise_of_the_turn_that_goes_on_is_kept_by_it() -> None:
    text = prepared(distil(*story(TOLD)).knowledge, budget=4000).text
    assert "still open: I'll write it next" not in text


def test_of_much_that_was_said_to_a_request_only_the_latest_stands_beside_it() -> None:
    talk = [message for n in range(1, 12) for message in (person(f"Station {n} has two masts."), agent(f"Noted for {n}."))]
    knowledge = distil(person("Write the list of stations."), agent("I begin."), *talk).knowledge
    now = prepared(knowledge, budget=2000).text.split("\n## ")[1]
    assert now.startswith("Now\n- The user asked: “Write the list of stations.”")
    assert [n for n in range(1, 12) if f"Station {n} has" in now] == [8, 9, 10, 11]
