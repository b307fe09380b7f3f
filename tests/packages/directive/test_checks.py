from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.evidence import CodeEdit
from continuity.knowledge.model import CommandRun, FileAction, FileTouch
from tests.packages.samples import KNOWLEDGE, SITUATION, prepared


def test_it_works() -> None:
    assert (
        "`pytest tests/jobs -q` passed (exit 0): “12 passed in 3.1s” — before this request, 2 files changed since, not run again"
        in prepared().text
    )


def test_changes_that_no_check_followed_are_told() -> None:
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, verification=None))).text

    assert "- No check was run after the changes." in text


def test_what_failed_last_is_to_be_run_again() -> None:
    checks = (CommandRun("make types", 9, 1, False, "2 errors"),)
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, checks=checks))).text

    assert ". To run again, since it failed last: `make types` [m9]" in text


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


def test_each_check_is_told_the_latest_first() -> None:
    checks = (CommandRun("make lint", 3, 0, True, "0 issues."), CommandRun("make types", 9, 1, False, "2 errors"))
    text = prepared(replace(KNOWLEDGE, files=(), situation=replace(SITUATION, checks=checks))).text

    assert "- Also checked with `make types` failed (exit 1): “2 errors” [m9]" in text
    assert "- Also checked with `make lint` passed (exit 0): “0 issues.” — before this request [m3]" in text


def test_a_check_that_passed_before_files_were_changed_says_so() -> None:
    checks = (CommandRun("make lint", 3, 0, True, "0 issues."),)
    files = (FileTouch("jobs/late.py", FileAction.MODIFIED, 5, 5),)
    text = prepared(replace(KNOWLEDGE, files=files, situation=replace(SITUATION, verification=None, checks=checks))).text

    assert (
        "- Also checked with `make lint` passed (exit 0): “0 issues.” — before this request, 1 file changed since, not run again [m3]"
        in text
    )


def test_a_task_runners_suite_ends_a_failure_only_where_one_kind_of_test_is_known() -> None:
    checks = (CommandRun("pytest tests/test_a.py -q", 9, 1, False, "1 failed"), CommandRun("make test", 12, 0, True, "all passed"))
    mixed = (*checks, CommandRun("npx vitest run", 3, 0, True, "4 passed"))
    alone, among = (
        prepared(replace(KNOWLEDGE, situation=replace(SITUATION, verification=None, checks=c)), budget=6000).text for c in (checks, mixed)
    )
    assert "To run again" not in alone
    assert "To run again" in among


def test_of_older_checks_the_latest_of_each_kind_is_told() -> None:
    checks = (
        CommandRun("go test ./shop -run TestCart", 2, 0, True, "ok shop"),
        CommandRun("go test ./shop", 3, None, None, ""),
        CommandRun("make lint", 4, 0, True, "0 issues."),
        CommandRun("go test ./shop -v", 5, 0, True, "ok shop"),
    )
    text = prepared(replace(KNOWLEDGE, files=(), situation=replace(SITUATION, verification=None, checks=checks))).text

    assert "`go test ./shop -v` passed" in text and "`make lint` passed" in text
    assert "TestCart" not in text and "ended unknown" not in text


def test_a_check_whose_output_was_cut_is_to_run_whole() -> None:
    check = CommandRun("make test 2>&1 | head -20", 18, None, None, "")
    text = prepared(replace(KNOWLEDGE, files=(), situation=replace(SITUATION, verification=check, checks=(), waiting=False))).text

    assert "`make test 2>&1 | head -20` ended unknown (its output was cut)" in text
    assert "Run `make test` again without cutting its output: how it ended is not known" in text


def test_a_last_check_before_the_request_holds_where_no_code_was_changed_after_it() -> None:
    text = prepared(replace(KNOWLEDGE, files=())).text
    assert "passed (exit 0): “12 passed in 3.1s” — no code was changed after it" in text
    writing = replace(SITUATION, unwritten=(CodeEdit("cart.py", 18, "+import decimal"),))  # nobody saw whether that was written
    assert "no code was changed" not in prepared(replace(KNOWLEDGE, files=(), situation=writing)).text


def test_what_the_user_pasted_of_a_run_is_the_check_of_the_changes() -> None:
    row = KNOWLEDGE.requests[-1]
    known = replace(KNOWLEDGE, situation=replace(SITUATION, verification=None))
    pasted = replace(row, seq=KNOWLEDGE.through_seq + 1, last_seq=KNOWLEDGE.through_seq + 1, pasted="3 lines: push denied")
    assert "No check was run" in prepared(known).text
    assert "No check was run" not in prepared(replace(known, requests=(*known.requests, pasted), through_seq=pasted.seq)).text
