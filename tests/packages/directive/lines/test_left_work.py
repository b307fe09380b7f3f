"""Work that a person left: what it was about, where it stands, and what they do themselves. A list of steps is told once."""

from __future__ import annotations

from continuity.knowledge.model import Knowledge
from continuity.transcripts.base.model import Message
from handoffs.contract.model import SectionKind
from tests.knowledge.talk import agent, call, distil, person, result
from tests.packages.samples import prepared

ASKED = "Please read all 612 gauges in less than five minutes, also when many of them time out. Not more than 20 connections at a time."


def lines(knowledge: Knowledge, kind: SectionKind) -> dict[str, str]:
    package = prepared(knowledge, budget=4000).package
    return {item.label: item.text for section in package.sections if section.kind is kind for item in section.items}


def edited(path: str, number: int) -> tuple[Message, Message]:
    name = f"e{number}"
    return call("Edit", name, file_path=f"/home/ada/shop/{path}", old_string=f"a = {number}", new_string=f"b = {number}"), result(
        "ok", name
    )


def listed(number: int, *statuses: str) -> tuple[Message, Message]:
    steps = ("Fetch with 20 threads", "Log how long a run took", "Give up after four minutes")
    todos = [{"content": text, "activeForm": text, "status": status} for text, status in zip(steps, statuses, strict=True)]
    return call("TodoWrite", f"l{number}", todos=todos), result("Todos have been modified successfully", f"l{number}")


WORK = (
    person(ASKED),
    listed(1, "in_progress", "pending", "pending"),
    edited("jobs.py", 1),
    listed(2, "completed", "in_progress", "pending"),
    agent("Fetching is done, logging comes next."),
)


def test_it_works() -> None:
    knowledge = distil(*WORK, person("gotta go. mira can look at it")).knowledge
    now = lines(knowledge, SectionKind.NEXT)

    assert (now["goal"], now["added"]) == (ASKED, "gotta go. mira can look at it")
    assert now["waiting"].startswith("Wait for the user")
    assert now["next step"] == "Log how long a run took"
    assert lines(knowledge, SectionKind.LAST)["last words"] == "Fetching is done, logging comes next."


def test_the_list_of_the_request_in_work_is_known_by_its_beginning_and_its_done_step_is_told_once() -> None:
    tasks = lines(distil(*WORK).knowledge, SectionKind.TASKS)

    assert tasks["step"].startswith("Fetch with 20 threads (done); changed jobs.py")
    begins, told = tasks["open"].split(" […] ")
    assert ASKED.startswith(begins) and len(begins) <= 60
    assert told == "(in progress, 1 of 3 steps) — left: Log how long a run took; Give up after four minutes"


def test_a_list_is_of_the_whole_work_and_not_of_a_few_words_within_it() -> None:
    asked = (person(ASKED), agent("I'd take 20 threads. Shall I?"), person("Yes please, and put the reason into the error message."))
    tasks = lines(distil(*asked, listed(1, "in_progress", "pending", "pending"), agent("Begun.")).knowledge, SectionKind.TASKS)

    assert tasks["open"].startswith("Please read all 612 gauges")


def test_what_the_person_takes_on_is_not_for_the_successor() -> None:
    knowledge = distil(*WORK, person("I'll ask Ruth, she looks after the mail."), agent("Good."), person("Please log the run.")).knowledge

    assert lines(knowledge, SectionKind.TASKS)["undertaken"] == "I'll ask Ruth, she looks after the mail."
    assert "Promised by the user, and not for you to do: I'll ask Ruth" in prepared(knowledge, budget=4000).text


def test_a_step_that_a_commit_names_is_told_as_written() -> None:
    made = (
        call("Bash", "g1", command="git commit -am 'Log for how long each run took'"),
        result("[main 3fa91c2] Log for how long each run took", "g1"),
    )
    tasks = lines(distil(*WORK, edited("jobs.py", 2), *made, agent("Committed.")).knowledge, SectionKind.TASKS)

    assert "left: Log how long a run took (written since); Give up after four minutes" in tasks["open"]


def test_the_task_in_progress_stands_with_what_is_so_now() -> None:
    looks = agent("Let me look at the settings first."), call("Read", "r1", file_path="/home/ada/shop/settings.py")
    knowledge = distil(*WORK[:-1], *looks).knowledge
    assert lines(knowledge, SectionKind.NEXT)["in progress"] == "Log how long a run took"
    assert "in progress" not in lines(distil(*WORK, edited("log.py", 2)).knowledge, SectionKind.NEXT)  # the next step says it
    assert "in progress" not in lines(distil(*WORK, person("gotta go. mira can look at it")).knowledge, SectionKind.NEXT)


def test_what_was_left_and_done_in_the_same_breath_is_left_no_more() -> None:
    words = "The flag is known already. I just need to add `!cloud` to hide the costs."
    begun = person("Hide the costs in the cloud"), agent(words)
    (left,) = [task.steps_left for task in distil(*begun, edited("summary.py", 1)).knowledge.tasks]
    assert left  # as the agent's words have it
    assert "left:" not in prepared(distil(*begun, edited("summary.py", 1)).knowledge, budget=4000).text
