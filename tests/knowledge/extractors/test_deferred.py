"""Requests that are put off stay to be done until they are done, and words lead back to them."""

from __future__ import annotations

import pytest

from continuity.knowledge.language.requests import wants_change
from continuity.knowledge.model import TaskStatus
from tests.knowledge.talk import Distilled, agent, distil, person, ran

ASKED = "Let's start by fixing the bug in the timeline: the ten minute range shows nothing"
LOOKED = ran("cat lane.ts", call_id="c0")
SAID = agent("The dots are placed by the clock, so whatever is older than the range has drifted off the screen by then.")
ANSWERED = (*LOOKED, SAID)
FIRST = person("Before we fix that, put a greeting into the header so that I can see the build.")
DONE = (*ran("sed -i 's/Hi/Hello/' header.ts"), agent("Done: the header greets now."))


def open_ones(done: Distilled) -> list[str]:
    return [task.description for task in done.knowledge.tasks if task.status is not TaskStatus.COMPLETED]


def goal(done: Distilled) -> str:
    objective = done.knowledge.situation.objective
    return objective.text if objective else ""


def test_it_works() -> None:
    done = distil(person(ASKED), ANSWERED, FIRST, DONE, person("Push it now, please."), *ran("git push", call_id="c2"), agent("Pushed."))
    assert open_ones(done) == [ASKED]


def test_words_lead_back_to_what_was_put_off() -> None:
    done = distil(person(ASKED), ANSWERED, FIRST, DONE, person("Great! On to the timeline bug."))
    assert (open_ones(done), goal(done)) == ([ASKED], ASKED)


def test_a_plain_yes_to_the_agents_question_leads_back_too() -> None:
    done = distil(person(ASKED), ANSWERED, FIRST, DONE, agent("Shall we go back to the timeline bug?"), person("yes"))
    assert (open_ones(done), goal(done)) == ([ASKED], ASKED)


def test_what_was_taken_up_and_done_is_done() -> None:
    mended = (*ran("sed -i 's/now/then/' lane.ts", call_id="c3"), agent("Fixed: the range begins at the oldest event."))
    talk = (person(ASKED), ANSWERED, FIRST, DONE, person("Great! On to the timeline bug."))
    assert open_ones(distil(*talk)) == [ASKED]
    assert open_ones(distil(*talk, mended, person("Rename the lane to track, in the docs too."))) == [
        "Rename the lane to track, in the docs too."
    ]


def test_words_that_tell_of_it_as_done_end_it() -> None:
    told = agent("I have also fixed the bug in the timeline, so that the ten minute range shows its events again.")
    assert open_ones(distil(person(ASKED), ANSWERED, FIRST, *ran("sed -i s/a/b/ lane.ts"), told)) == []


def test_an_answer_without_any_act_does_not_finish_a_change() -> None:
    assert open_ones(distil(person(ASKED), ANSWERED)) == [ASKED]
    assert open_ones(distil(LOOKED, person("Write a summary of the lanes, please"), SAID)) == []
    assert open_ones(distil(LOOKED, person("Explain how the range is computed, please"), SAID)) == []


def test_what_waited_for_the_person_waits_no_more_when_they_have_spoken() -> None:
    asked, told = agent("Should the queue live in Redis or in Postgres?"), person("We decided to keep the queue in Postgres, with leases.")
    done = distil(LOOKED, person("Please build the job queue."), asked, told, agent("I'll write the worker next."))
    statuses = {task.description: task.status for task in done.knowledge.tasks}
    assert statuses["Please build the job queue."] is TaskStatus.NOT_STARTED


def test_without_tools_the_answer_is_the_work() -> None:
    assert open_ones(distil(person("Write four lines about the harbour at dawn, please"), SAID)) == []


def test_what_was_changed_for_is_over_when_the_talk_moves_on() -> None:
    assert open_ones(distil(person(ASKED), *ran("sed -i s/a/b/ lane.ts"), agent("The range begins earlier."), person("And the docs?"))) == [
        "And the docs?"
    ]


def test_of_many_that_were_put_off_the_latest_are_kept() -> None:
    places = ("harbour", "crane", "quay", "winch", "barge")
    talk = [m for place in places for m in (person(f"But first, fix the colour of the {place} in the map"), agent(f"The {place} is grey."))]
    done = distil(LOOKED, *talk, person("First let me look at the map myself."))
    assert len(open_ones(done)) <= 4
    assert "barge" in " ".join(open_ones(done))


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("Fix the range", True),
        ("could you add a button", True),
        ("let's start by fixing it", True),
        ("explain how to fix it", False),
        ("make sure that you read it", False),
        ("which file is it?", False),
    ],
)
def test_what_asks_for_a_change(text: str, wants: bool) -> None:
    assert wants_change(text) is wants
