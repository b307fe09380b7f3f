"""Which failures a later run of a chain of commands has mended."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.evidence import Failure, PartState, WorkPart
from continuity.knowledge.extractors.tools.commands import without_filters
from continuity.knowledge.model import CommandRun, FileAction, FileTouch, Quote, Ref, Request, RequestKind, RequestStep, Situation
from handoffs.budgeting.limits import limits_for
from handoffs.directive.lines.evidence import evidence_candidates, still_failing
from handoffs.directive.lines.reruns import is_probe, passed_since
from tests.packages.samples import KNOWLEDGE

LIMITS = limits_for(4000)


def run(command: str, seq: int, passed: bool | None) -> CommandRun:
    return CommandRun(without_filters(command), seq, passed=passed)


def test_it_works() -> None:
    failed = run("mise run lint 2>&1", 4, False)
    assert passed_since(failed, [run("mise run fmt 2>&1 && mise run lint 2>&1", 6, True)])


@pytest.mark.parametrize("later", ["mise run fmt 2>&1", "mise run fmt 2>&1 && mise run test 2>&1"])
def test_what_a_chain_did_not_run_is_not_mended(later: str) -> None:
    assert not passed_since(run("mise run lint 2>&1", 4, False), [run(later, 6, True)])


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("make lint 2>&1", "make lint"),
        ("make fmt 2>&1 && make lint 2>&1 | tail -5", "make fmt && make lint"),
        ("make fmt 2>&1; make lint > out", "make fmt; make lint"),
        ("make lint || make fix", "make lint || make fix"),
    ],
)
def test_what_only_shortens_the_output_is_left_out(command: str, told: str) -> None:
    assert without_filters(command) == told


def test_a_part_whose_failed_check_was_mended_before_its_commit_does_not_tell_it() -> None:
    check = "`make test` failed: FAIL"
    part = WorkPart("Sum the items", PartState.DONE, 3, 12, files=("sum.go",), commits=("abc1234 Sum the items",), check=check)
    step = RequestStep("Sum the items", 5, ("sum.go",), check="`make test` failed")
    row = Request(2, RequestKind.REQUEST, Quote("Sum the items, please.", Ref(2)), 12, steps=(step,))
    for passed in (True, False):
        last = CommandRun("make test", 9, passed=passed)
        known = replace(KNOWLEDGE, requests=(row,), situation=Situation(parts=(part,), checks=(last,), verification=last))
        (told,) = (c.item.text for c in evidence_candidates(known, LIMITS) if c.item.label == "step")
        assert ("failed" in told) is not passed


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        (
            "go build -o /tmp/app ./cmd && export KIND=a && ./check.sh two",
            ("export KIND=b && \\\n./check.sh one && \\\ngo build -o /tmp/app ./cmd && \\ ./check.sh two",),
        ),
        ("cd app && make lint && make test", ("make lint", "make test")),
        ("golangci-lint run ./shop/cart.go", ("mise run lint",)),
        ("golangci-lint run ./shop/cart.go", ("golangci-lint run ./...",)),
    ],
)
def test_each_part_of_a_chain_is_over_where_it_passed(failed: str, later: tuple[str, ...]) -> None:
    passed = [run(command, 6 + place, True) for place, command in enumerate(later)]
    assert passed_since(run(failed, 4, False), passed)
    assert not passed_since(run(f"{failed} && go vet ./...", 4, False), passed)


def test_a_linter_tried_on_a_file_that_was_not_changed_is_no_check_of_the_work() -> None:
    probe = run("golangci-lint run ./shop/cart.go", 4, False)
    assert is_probe(probe, [FileTouch("shop/sum.go", FileAction.MODIFIED, 3, 3)])
    assert not is_probe(probe, [FileTouch("shop/cart.go", FileAction.MODIFIED, 3, 3)])
    assert not is_probe(run("golangci-lint run ./shop", 4, False), [])


def test_a_check_whose_end_a_filter_hid_is_over_where_it_printed_that_all_is_well() -> None:
    failed = CommandRun("bun run lint", 3, 1, False)

    def over(printed: str) -> bool:
        return passed_since(failed, (CommandRun("bun run lint", 5, None, None, printed),))

    assert all(map(over, ("Checked 290 files in 101ms. No fixes applied.", "0 errors", "ok  pkg 0.2s", "12 passed")))
    assert not any(map(over, ("", "Checked 290 files.", "Error: Cannot find module 'x'", "2 errors, 3 passed", "ok, but timed out")))


def test_a_check_is_over_once_it_passed_among_others_and_not_where_it_may_have_failed() -> None:
    failed = CommandRun("make lint && make types", 3, 1, False)
    assert passed_since(failed, (CommandRun("make lint && make types && make test", 5, 0, True),))
    for said in (
        "make lint && make types || true",
        "make types; make lint",
        "make lint && make test",
        'git commit -m "make lint && make types"',
    ):
        assert not passed_since(failed, (CommandRun(said, 5, 0, True),)), said


def test_what_a_runner_of_tasks_says_behind_a_failure_is_told_only_where_nothing_else_is() -> None:
    runner = Failure("mise run test", 7, cause="[test] ERROR task failed")
    test = Failure("mise run test", 8, "TestResume", at="resume_test.go:4", cause="no such branch")
    assert still_failing(Situation(failures=(runner, test))) == [test]
    assert still_failing(Situation(failures=(runner,))) == [runner]


@pytest.mark.parametrize(
    ("failed", "later", "over"),
    [
        ("mise run fmt && mise run lint", "mise run lint", True),
        ("gofmt -s -w . && golangci-lint run", "golangci-lint run", True),
        ("go fmt --check && make lint", "make lint", False),
        ("go test ./pkg/logging/... -v", "mise run fmt && mise run test", True),
        ("go test ./...", "go test ./pkg/logging/...", False),
    ],
)
def test_a_formatter_only_prepares_and_all_tests_cover_those_of_a_package(failed: str, later: str, *, over: bool) -> None:
    assert passed_since(run(failed, 4, False), [run(later, 6, True)]) is over
