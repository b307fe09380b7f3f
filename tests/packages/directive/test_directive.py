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
        "## What is left, and what is done",
        "## The work so far, and what the agent said last",
        "## What led to it",
        "## Rules that hold",
        "## Decisions",
        "## Problems, and approaches that failed",
        "## History, oldest first",
        "## Files",
        "## Work place",
        "## Facts and lessons",
    ]


@pytest.mark.parametrize(
    ("waiting", "words"),
    [
        (False, "Go on: it is your turn."),
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
    assert "- Next step: “Next I switch the trigger in jobs/nightly.py and run the tests again.” [m18]" in prepared().text


def test_without_a_named_next_step_the_task_in_work_gives_it() -> None:
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, next_step=None))).text

    assert "- Next step: “switch the trigger over” [m18]" in text


def test_the_check_tells_its_result_and_that_files_changed_since() -> None:
    assert "`pytest tests/jobs -q` passed (exit 0): “12 passed in 3.1s” — files changed since, so it must run again" in prepared().text


def test_changes_that_no_check_followed_are_told() -> None:
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, verification=None))).text

    assert "- No check was run after the changes." in text


def test_what_failed_last_is_to_be_run_again() -> None:
    checks = (CommandRun("make types", 9, 1, False, "2 errors"),)
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, checks=checks))).text

    assert "- To run again, since it failed last: `make types` [m9]" in text


def test_a_failure_is_over_when_the_whole_suite_has_passed_since() -> None:
    checks = (CommandRun("pytest tests/test_alerts.py -q", 9, 1, False, "1 error"), CommandRun("pytest -q", 12, 0, True, "26 passed"))
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, checks=checks))).text

    assert "test_alerts.py" not in text


@pytest.mark.parametrize(
    ("failed", "passed", "over"),
    [
        ('go test ./shop/ -run "TestCart_AddsTwice" -v', 'go test ./shop/ -run "TestCart"', True),
        ('go test ./shop/ -run "TestCart_AddsTwice" -v', "mise run test:ci 2>&1 | tail -5", True),
        ("npx vitest run src/cart.test.ts", "npm test", True),
        ("pytest tests/shop/test_cart.py::test_adds", "pytest tests/shop", True),
        ("pytest tests/shop/test_cart.py", "pytest tests/shopping", False),
        ("pytest tests/shop/test_cart.py", "pytest tests/pay/test_card.py", False),
        ("npm run test:e2e", "npm run test:unit", False),
        ("make types", "make test", False),
        ("pytest tests/test_a.py::test_b", "npm test", False),
        ("pytest tests/test_a.py::test_b", "uv run pytest -q", True),
    ],
)
def test_what_failed_is_over_when_something_as_wide_has_passed(failed: str, passed: str, over: bool) -> None:
    checks = (CommandRun(failed, 9, 1, False, "1 failed"), CommandRun(passed, 12, 0, True, "all passed"))
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, verification=None, checks=checks)), budget=6000).text

    assert ("To run again" not in text) is over


def test_a_step_that_was_begun_is_told_as_begun() -> None:
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, begun=True))).text

    assert "- Announced by the agent, and begun: “Next I switch the trigger" in text


def test_what_was_done_last_is_told_with_the_step() -> None:
    step = SITUATION.next_step
    assert step is not None
    at = step.ref.seq + 1
    files = (*KNOWLEDGE.files, FileTouch("jobs/late.py", FileAction.MODIFIED, at, at), FileTouch("jobs/seen.py", FileAction.READ, at, at))
    rows = (*KNOWLEDGE.requests[:-1], replace(KNOWLEDGE.requests[-1], files=("jobs/late.py",), last_seq=at))
    runs = (*SITUATION.recent_commands, CommandRun("make docs", at + 1, 0, True, "ok"))
    text = prepared(replace(KNOWLEDGE, files=files, requests=rows, situation=replace(SITUATION, recent_commands=runs))).text

    assert "- Announced by the agent, and begun: “Next I switch" in text
    assert "edited late.py; ran `make docs` (passed)\n" in text.partition("- Done last: ")[2]


@pytest.mark.parametrize("budget", [400, 1000, 4000])
def test_a_call_without_a_result_is_told_at_any_budget(budget: int) -> None:
    calls = (quote("git commit -m done; git push", 19), quote("Edit jobs/late.py", 19))
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, unanswered=calls)), budget=budget).text

    assert "find out whether it was done: `git commit -m done, git push`; `Edit jobs/late.py`" in text


def test_each_check_is_told_the_latest_first() -> None:
    checks = (CommandRun("make lint", 3, 0, True, "0 issues."), CommandRun("make types", 9, 1, False, "2 errors"))
    text = prepared(replace(KNOWLEDGE, files=(), situation=replace(SITUATION, checks=checks))).text

    assert "- Also checked with `make types` failed (exit 1): “2 errors” [m9]" in text
    assert "- Also checked with `make lint` passed (exit 0): “0 issues.” [m3]" in text


def test_a_check_that_passed_before_files_were_changed_says_so() -> None:
    checks = (CommandRun("make lint", 3, 0, True, "0 issues."),)
    files = (FileTouch("jobs/late.py", FileAction.MODIFIED, 5, 5),)
    text = prepared(replace(KNOWLEDGE, files=files, situation=replace(SITUATION, verification=None, checks=checks))).text

    assert "- Also checked with `make lint` passed (exit 0): “0 issues.” — files changed since, so it must run again [m3]" in text


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


def test_a_task_runners_suite_ends_a_failure_only_where_one_kind_of_test_is_known() -> None:
    checks = (CommandRun("pytest tests/test_a.py -q", 9, 1, False, "1 failed"), CommandRun("make test", 12, 0, True, "all passed"))
    mixed = (*checks, CommandRun("npx vitest run", 3, 0, True, "4 passed"))
    alone, among = (
        prepared(replace(KNOWLEDGE, situation=replace(SITUATION, verification=None, checks=c)), budget=6000).text for c in (checks, mixed)
    )
    assert "To run again" not in alone
    assert "To run again" in among
