"""Promises are open until they are kept; what the next act keeps was never open."""

from __future__ import annotations

import pytest

from continuity.knowledge.language.commitments import promise
from continuity.knowledge.model import AnchorState, AnchorType
from tests.knowledge.talk import agent, call, distil, harness, person, ran, result

COMMITMENT = AnchorType.COMMITMENT


def test_it_works() -> None:
    done = distil(person("Deploy it."), agent("The build is green. I'll update the changelog once you have merged the branch."))
    (anchor,) = done.current(COMMITMENT)
    assert (anchor.text, anchor.critical) == ("I'll update the changelog once you have merged the branch.", True)


def test_a_promise_that_the_next_action_kept_is_not_open() -> None:
    done = distil(person("Fix the test."), agent("I'll run the test suite now."), *ran("pytest -q", "3 passed"))
    assert done.texts(COMMITMENT) == []
    assert [a.state for a in done.memory.anchors.values() if a.type is COMMITMENT] == [AnchorState.RESOLVED]


def test_a_promise_at_the_end_of_a_turn_stays_open() -> None:
    done = distil(person("Fix the test."), *ran("pytest -q", "3 passed"), agent("I'll add the Windows fixture next."), person("thanks"))
    assert done.texts(COMMITMENT) == ["I'll add the Windows fixture next."]


def test_a_two_step_promise_lasts_until_the_report() -> None:
    begun = (
        person("Fix it."),
        agent("I'll read the parser first, then rewrite the tokenizer tests."),
        call("Read", file_path="parser.py"),
        result("…"),
    )
    assert len(distil(*begun).texts(COMMITMENT)) == 1
    report = agent("Done. The tokenizer in `parser.py` now handles quotes and its four tests pass. Nothing else was changed in this run.")
    assert distil(*begun, report).texts(COMMITMENT) == []


def test_words_that_tell_of_it_close_a_promise() -> None:
    done = distil(
        person("Deploy it."),
        agent("I'll update the changelog once you have merged the branch."),
        person("The branch is merged."),
        agent("Updated the changelog after the merged branch."),
    )
    assert done.texts(COMMITMENT) == []


@pytest.mark.parametrize(
    "text",
    [
        "Let me look at the logs.",
        "I'll be here if you need me.",
        "I can help with that.",
        "Should I'll do it?",
        "We will see.",
        "I'll assume UTC.",
    ],
)
def test_look_alikes_promise_nothing(text: str) -> None:
    assert promise(text, announced=False) == ""


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("I'll run the tests.", "act"),
        ("I'll read the docs, then fix the parser.", "turn"),
        ("I'll close the ticket once the release is out.", "later"),
        ("I'll report back tomorrow.", "later"),
        ("I'll report the CI results when the run finishes.", "coming"),
        ("I'll check the agent after this test command finishes.", "act"),
    ],
)
def test_what_closes_a_promise(text: str, until: str) -> None:
    assert promise(text, announced=False) == until


def test_a_report_that_was_promised_is_owed_until_a_later_report() -> None:
    talk = (
        person("All of CI is broken"),
        *ran("git push"),
        agent("The toolchain floated, so I pinned it and pushed.\n\nI'll report the CI results when the run finishes."),
        harness("<task-notification>checks: pending</task-notification>"),
        *ran("gh pr checks 64", "pending", call_id="c2"),
    )
    assert distil(*talk).texts(COMMITMENT) == ["I'll report the CI results when the run finishes."]
    assert distil(*talk[:4], person("Fine. Is the branch pushed?")).texts(COMMITMENT) == [
        "I'll report the CI results when the run finishes."
    ]
    ended = agent("All eight checks pass on the pinned toolchain, and the pull request can be merged by whoever owns the release.")
    assert distil(*talk, ended, person("Good. Who merges it?")).texts(COMMITMENT) == []


def test_the_person_promises_and_keeps() -> None:
    promised = (person("Write a comment on the ticket, I'll handle the fix over there"), agent("Posted."))
    (anchor,) = distil(*promised).current(COMMITMENT)
    assert anchor.truth == "stated"
    assert distil(*promised, person("okay, fix is pushed")).texts(COMMITMENT) == []


def test_what_the_person_puts_on_a_list_stays() -> None:
    done = distil(
        person("The reset may leave session files behind... add it to the investigate list"), agent("Noted."), person("fix is pushed")
    )
    assert done.texts(COMMITMENT) == ["The reset may leave session files behind... add it to the investigate list"]


def test_an_interrupted_promise_of_a_later_time_stays() -> None:
    done = distil(person("Go."), agent("I'll rotate the keys after the release."), person("[something else] Rename the module."))
    assert "I'll rotate the keys after the release." in done.texts(COMMITMENT)


def test_what_a_person_owes_is_their_promise() -> None:
    owed = "I owe you the list of hosts that must move."
    done = distil(person("Fix the exporter."), agent("The exporter is fixed."), person(owed))
    assert done.texts(COMMITMENT) == [owed]
    assert done.texts(AnchorType.CONSTRAINT) == []


@pytest.mark.parametrize("words", [
    "I'll deliver the migration by Friday.", "I will send the report by end of day.", "I'll have the docs ready by 2026-03-01.",
    "I'll finish the export on Monday.", "I promise to deliver the migration by March 3rd.", "We'll ship the fix before noon.",
    "I'll post the numbers tomorrow.", "I'll upload it by 5 pm.",
])  # fmt: skip
def test_a_promise_for_a_day_stays_open_whatever_is_done_at_once(words: str) -> None:
    done = distil(person("Move the shop"), agent(words), *ran("make"), agent("The page is up, all green."), person("And the footer?"))
    assert words in done.texts(AnchorType.COMMITMENT)


def test_a_person_keeps_a_promise_for_a_day_open_too() -> None:
    done = distil(person("I'll deliver the migration by Friday."), *ran("make"), agent("Fine."))
    assert "I'll deliver the migration by Friday." in done.texts(AnchorType.COMMITMENT)


def test_what_the_person_puts_off_for_something_else_stays_to_be_done() -> None:
    words = "the totals are wrong in the sheet. but first: the login page is down, look at that, we'll finish the export after"
    done = distil(person("Add an export of the orders."), agent("It is added."), person(words), agent("The login page is up again."))
    assert done.texts(AnchorType.COMMITMENT) == [words]


def test_a_no_to_what_the_agent_said_ends_what_it_promised_there() -> None:
    asked = (person("Add currencies."), agent("The tests encode the old error. I'll change the totals to round once, after the merge."))
    assert distil(*asked).current(COMMITMENT)
    found = distil(*asked, person("nooo. rounding per line is on purpose, the tests are right"))
    assert not found.current(COMMITMENT)
    assert [a.text for a in found.current(AnchorType.CORRECTION)] == ["nooo. rounding per line is on purpose, the tests are right"]
    assert distil(*asked, person("no problem, take your time with it")).current(COMMITMENT)


def test_a_no_to_a_question_leaves_what_the_agent_promised_beside_it() -> None:
    asked = (
        person("Add currencies."),
        agent("I'll change the totals to round once, after the merge. Should the old prices be converted too?"),
    )
    assert distil(*asked, person("no, leave those for now")).current(COMMITMENT)
