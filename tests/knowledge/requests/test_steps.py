"""The steps of the work for a request: what the agent said, what it changed with that, how the check ended."""

import pytest

from continuity.knowledge.model import RequestStep
from continuity.knowledge.requests import steps
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from tests.knowledge.talk import agent, call, distil, person, ran, result

THOUGHT = (
    "The importer gives up after one failure, since nothing counts what was tried. I should count the attempts in a table of their own."
)
REQUEST = "Please make the importer retry, and keep its tests green."


def edit(name, content, call_id):
    return call("Write", call_id=call_id, file_path=f"/home/ada/shop/{name}", content=content), result("ok", call_id=call_id)


def of(*messages):
    return distil(person(REQUEST), *messages).knowledge.requests[-1].steps


def test_it_works():
    found = of(
        agent("Now let me add the retry to the importer:"),
        *edit("importer.py", "x = 1\n", "e1"),
        *edit("retry.py", "y = 1\n", "e2"),
        agent("Let me run the tests:"),
        *ran("pytest", "tests/test_importer.py:7: AssertionError: expected 3 retries\n1 failed", 1, call_id="c1"),
        agent("The backoff starts at one, so a retry is lost. Let me fix that."),
        *edit("retry.py", "y = 2\n", "e3"),
        *ran("pytest", "3 passed", 0, call_id="c2"),
    )

    assert [(step.said, [path.rsplit("/", 1)[-1] for path in step.files]) for step in found] == [
        ("Add the retry to the importer", ["importer.py", "retry.py"]),
        ("Run the tests", []),
        ("The backoff starts at one, so a retry is lost.", ["retry.py"]),
    ]
    assert [step.check for step in found] == ["", "`pytest` failed", "`pytest` passed"]
    assert "expected 3 retries" in found[1].cause


def test_of_a_thought_stands_what_it_announced_and_nothing_that_it_found():
    thought = Part(PartKind.REASONING, Voice.AGENT, THOUGHT)
    found = of(Message(Role.ASSISTANT, (thought,), ""), *edit("a.py", "x = 1\n", "e1"))

    assert found[0].said == "Count the attempts in a table of their own."


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Perfect!", ""),
        ("I'll now add the queue:", "Add the queue"),
        ("Great! Now update the docs.", "Update the docs."),
        ("**Fix 2:** Count the attempts", "Fix 2: Count the attempts"),
        ("It is so:\n```\nx = 1\n```", ""),
        ("Nowhere is it set.", "Nowhere is it set."),
    ],
)
def test_what_only_leads_in_is_left_out(words, told):
    assert steps.label(words) == told


def test_of_a_thought_what_it_announces_for_later_is_no_name_of_the_step():
    words = "Let me rewrite this test to use subtests and remove the count. I'll also need to rename the other one and add a check."
    assert steps.label(words, thought=True) == "Rewrite this test to use subtests and remove the count."


def test_words_are_bounded():
    assert len(steps.label("The queue keeps what was not sent yet, and sends it again later. " * 400)) <= steps.SAID


def test_steps_are_bounded_and_those_that_mended_something_stay():
    found: steps.Steps = ()
    for n in range(200):
        check = "`pytest` failed" if n == 3 else ""
        found = steps.begun(found, n, f"Step {n} of the work", [f"/a/{n}.py"], check, "expected 3" if check else "")

    assert len(found) == steps.STEPS
    assert [step.seq for step in found[:2]] == [3, 4], "the failure and what followed it"
    assert found[-1].seq == 199


def test_an_older_request_keeps_what_tells_most():
    many = tuple(RequestStep(f"Step {n}", n, check="`pytest` failed" if n == 5 else "") for n in range(30))

    assert [step.seq for step in steps.kept(many, 4)] == [5, 6, 28, 29]


def test_a_mark_of_ours_is_no_part_of_a_step():
    announced = agent("Next I'll count the retries in a table.")
    more = *ran("pytest", "3 passed", 0, call_id="c1"), *edit("b.py", "y = 1\n", "e2"), *edit("c.py", "z = 1\n", "e3")
    found = of(announced, *edit("a.py", "x = 1\n", "e1"), *more)
    assert [step.said for step in found] == ["Count the retries in a table.", ""]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('title = "Orders (by day)"\n', 'Update the title to show "by day"'),
        ('title = "Orders" if daily else "Days"\n', ""),
        ("# all\n" + "x = 1\n" * 300, 'Update the title to show "by day"'),
    ],
)
def test_an_announcement_whose_edit_shows_another_text_is_not_told(text, told):
    found = of(agent('Now update the title to show "by day":'), *edit("view.py", text, "e1"))
    assert [(step.said, len(step.files)) for step in found] == [(told, 1)]


def test_words_that_only_quote_what_was_seen_stay():
    found = of(agent('The run says "no such table", so I create it first.'), *edit("db.py", "create()\n", "e1"))
    assert "no such table" in found[0].said


def short(words):
    return Message(Role.ASSISTANT, (Part(PartKind.REASONING, Voice.AGENT, words),), "")


def test_a_short_thought_says_what_files_were_changed_for_where_nothing_was_said():
    failed = ran("pytest", "tests/test_importer.py:7: NameError: name 'json' is not defined\n1 failed", 1, call_id="c1")
    found = of(
        agent("Let me run the tests:"),
        *failed,
        short("I need to add the `json` import to the test file."),
        *edit("test_importer.py", "import json\n", "e1"),
        short("Let me run the tests once more to see."),
        *ran("pytest", "3 passed", 0, call_id="c2"),
    )

    assert [(step.said, step.check) for step in found] == [
        ("Run the tests", "`pytest` failed"),
        ("Add the `json` import to the test file.", "`pytest` passed"),
    ]


def test_words_that_were_said_go_before_a_short_thought():
    found = of(agent("Now let me add the retry:"), short("I should write line 7 again."), *edit("retry.py", "y = 1\n", "e1"))
    assert [step.said for step in found] == ["Add the retry"]
