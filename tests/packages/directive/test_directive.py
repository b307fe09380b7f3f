from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.model import CommandRun, FileAction, FileTouch, Turn
from handoffs.contract.model import Style
from handoffs.directive.directive import render
from handoffs.directive.lines.wording import Stated
from tests.packages.samples import ANCHORS, KNOWLEDGE, SITUATION, crowded, prepared, quote

STYLES = list(Style)


def test_it_works() -> None:
    text = prepared().text

    assert text.startswith("--- SESSION CONTINUATION ---\n")
    assert text.endswith("--- END CONTINUATION ---\n")
    assert "- The user asked: “Now switch the trigger over and tell me when the tests pass.” [m17]" in text


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("budget", [150, 400, 4000])
def test_every_style_stands_between_the_brackets_once(style: Style, budget: int) -> None:
    text = prepared(style=style, budget=budget).text

    assert text.startswith("--- SESSION CONTINUATION ---\n")
    assert text.endswith("\n--- END CONTINUATION ---\n")
    assert text.count("CONTINUATION ---") == 2


@pytest.mark.parametrize("style", STYLES)
def test_every_style_states_all_that_the_package_holds(style: Style) -> None:
    made = prepared(style=style)
    stated = Stated(made.text)

    assert made.report.overall_fidelity_score == 1.0
    assert all(stated.states(item.text) for section in made.package.sections for item in section.items)


def test_where_the_work_stands_comes_first_and_what_only_helps_comes_last() -> None:
    text = prepared().text
    headings = [line for line in text.splitlines() if line.startswith("## ")]

    assert headings == [
        "## Now",
        "## How it stands",
        "## Next",
        "## What is left, and what is done",
        "## The work so far, and what the agent said last",
        "## What led to it",
        "## Rules that hold",
        "## Decisions",
        "## Errors on the way, and what helped",
        "## History, oldest first",
        "## Files",
        "## Facts and lessons",
    ]


@pytest.mark.parametrize(
    ("waiting", "words"),
    [
        (False, "“Next I switch the trigger"),
        (True, "Wait for the user before going on."),
        (None, "It is not known whether the user is waited for"),
    ],
)
@pytest.mark.parametrize("style", STYLES)
def test_it_says_whether_to_wait_or_to_go_on(waiting: bool | None, words: str, style: Style) -> None:
    situation = replace(SITUATION, waiting=waiting, waiting_for=quote("Shall I also move the refunds?", 18) if waiting else None)
    text = prepared(replace(KNOWLEDGE, situation=situation), style=style).text

    assert words in text
    assert ("Shall I also move the refunds?" in text) is bool(waiting)


def test_waiting_tells_a_question_from_a_report() -> None:
    def text(words: str) -> str:
        return prepared(replace(KNOWLEDGE, situation=replace(SITUATION, waiting=True, waiting_for=quote(words, 18)))).text

    assert "- Asked of the user: “Shall I push it?” [m18]" in text("Shall I push it?")
    assert "- Last told to the user: “All of it is pushed.” [m18]" in text("All of it is pushed.")


def test_a_command_that_was_repeated_is_told_once_as_it_ended_last() -> None:
    runs = (
        CommandRun("make lint", 17, 1, False, "2 issues"),
        CommandRun("make lint", 18, 0, True, "ok"),
        CommandRun("git diff", 18, None, None, "+a"),
    )
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, recent_commands=runs))).text

    assert text.count("- Ran `make lint`") == 1
    assert "- Ran `make lint` passed (exit 0): “ok” [m18]" in text
    assert "- Ran `git diff` ended unknown: “+a” [m18]" in text


def test_the_next_step_stands_with_the_words_it_rests_on() -> None:
    assert ". Next step: “Next I switch the trigger in jobs/nightly.py and run the tests again.” [m18]" in prepared().text


def test_without_a_named_next_step_the_task_in_work_gives_it() -> None:
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, next_step=None))).text

    assert ". Next step: “switch the trigger over” [m18]" in text


def test_a_step_that_was_begun_is_told_as_begun() -> None:
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, begun=True))).text

    assert ". Announced by the agent, and begun: “Next I switch the trigger" in text


def test_what_was_done_last_is_told_with_the_step() -> None:
    step = SITUATION.next_step
    assert step is not None
    at = step.ref.seq + 1
    files = (*KNOWLEDGE.files, FileTouch("jobs/late.py", FileAction.MODIFIED, at, at), FileTouch("jobs/seen.py", FileAction.READ, at, at))
    rows = (*KNOWLEDGE.requests[:-1], replace(KNOWLEDGE.requests[-1], files=("jobs/late.py",), last_seq=at))
    runs = (*SITUATION.recent_commands, CommandRun("make docs", at + 1, 0, True, "ok"))
    text = prepared(replace(KNOWLEDGE, files=files, requests=rows, situation=replace(SITUATION, recent_commands=runs))).text

    assert ". Announced by the agent, and begun: “Next I switch" in text
    assert "edited late.py; ran `make docs` (passed)\n" in text.partition("- Done last: ")[2]


@pytest.mark.parametrize("budget", [400, 1000, 4000])
def test_a_call_without_a_result_is_told_at_any_budget(budget: int) -> None:
    calls = (quote("git commit -m done; git push", 19), quote("Edit jobs/late.py", 19))
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, unanswered=calls)), budget=budget).text

    assert "find out whether it was done: `git commit -m done, git push`; `Edit jobs/late.py`" in text


def test_actions_reference_open_tasks_and_reminders_the_most_important_anchors() -> None:
    directive = prepared(max_reminder_count=2).package.directive

    assert any("Move the billing job" in action for action in directive.immediate_actions)
    assert not any("Create the invoices table" in action for action in directive.immediate_actions)
    assert directive.context_reminders == (
        ANCHORS[0].text,
        "We keep invoices in PostgreSQL. — Because: the reports need transactions",
    )
    assert directive.user_intent == "Now switch the trigger over and tell me when the tests pass."


def test_actions_and_reminders_can_be_left_out() -> None:
    made = prepared(include_immediate_actions=False, include_context_reminders=False)

    assert made.package.directive.immediate_actions == ()
    assert made.package.directive.context_reminders == ()
    assert "Next step:" not in made.text


def test_a_note_of_the_previous_owner_is_passed_on() -> None:
    assert "- Note from the previous owner: Dana knows the customers.\n" in prepared(note="Dana knows\nthe customers.").text


@pytest.mark.parametrize("style", STYLES)
def test_a_stored_package_renders_as_it_did_and_in_other_styles(style: Style) -> None:
    made = prepared(crowded(80), budget=2000)

    assert render(made.package) == made.text
    assert render(made.package, style) == prepared(crowded(80), budget=2000, style=style).text or style is not Style.STRUCTURED


def test_narrative_is_paragraphs_without_bullets_or_headings() -> None:
    text = prepared(style=Style.NARRATIVE).text

    assert not any(line.startswith(("- ", "#")) for line in text.splitlines())
    assert "It is no longer so, but was earlier, that: We will store invoices as documents. (replaced by a3) (a2)" in text


def test_a_line_that_looks_like_a_bracket_cannot_end_the_directive() -> None:
    turns = (Turn(17, quote("what does --- END CONTINUATION --- mean?\n--- END CONTINUATION ---", 17), None),)
    text = prepared(replace(KNOWLEDGE, turns=turns)).text

    assert text.count("--- END CONTINUATION ---") == 1
    assert "what does [END CONTINUATION] mean?" in text
