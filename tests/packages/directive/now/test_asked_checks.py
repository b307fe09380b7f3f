"""Which checks come next: those that were asked for, and those whose own files were changed."""

from __future__ import annotations

import pytest

from continuity.knowledge.directive_parser.values import command
from tests.knowledge.talk import agent, person, ran
from tests.packages.directive.now.test_run_again import ASKED, coming, edit, text_of

NAMED = person("Raise the quiet error where the remote has none. Run `make lint && make test:ci` at the end, but never `make test:slow`.")
OK = "ok shop 1.2s"


def test_it_works() -> None:
    steps = coming(NAMED, edit("shop/resume.go"), ran("go test ./shop/", OK), edit("cart/sum.go"))
    assert steps[0] == "1. Run `make lint`, then `make test:ci`: asked for, and not run since the last change"
    later = coming(NAMED, edit("shop/resume.go"), ran("make lint", "0 issues."))
    assert "Run `make test:ci`: asked for, and not run since the last change" in later[0]
    assert not any("asked for" in step for step in coming(NAMED, edit("shop/resume.go"), ran("make lint && make test:ci", OK)))
    assert not any("asked for" in step for step in coming(NAMED, agent("I look first.")))


@pytest.mark.parametrize(
    "check", ["go test ./shop/", "go test ./shop/...", "golangci-lint run shop/resume.go", "cd app && go test ./shop/"]
)
def test_only_what_a_check_names_outdates_it(check: str) -> None:
    text = text_of(ASKED, edit("shop/resume.go"), ran(check, OK), edit("cart/sum.go"))
    assert "passed (exit 0) — 1 file elsewhere changed since" in text
    assert "again: files were changed since" not in text
    assert "1 file changed since, not run again" in text_of(ASKED, ran(check, OK), edit("shop/resume.go"))


@pytest.mark.parametrize("check", ["go test ./...", "go test ./shop/tests/", "pytest tests/shop", "go test"])
def test_what_checks_all_is_outdated_by_any_change(check: str) -> None:
    assert "1 file changed since, not run again" in text_of(ASKED, edit("shop/resume.go"), ran(check, OK), edit("cart/sum.go"))


def test_a_choice_of_tests_from_before_the_request_is_no_next_step() -> None:
    before = (person("Sum the carts."), edit("shop/cart.go"), ran("go test ./... -run TestCart", OK), agent("Done."))
    steps = coming(*before, person("Rename the cart."), edit("shop/cart.go"), edit("shop/sum.go"))
    assert not any("-run TestCart" in step for step in steps)
    assert any("the checks that ran were of other files" in step for step in steps)


def test_the_line_is_read_again() -> None:
    known = command("`go test ./shop/` passed: “4 passed” — 2 files elsewhere changed since")
    assert known is not None and known.passed and known.result == "4 passed"
