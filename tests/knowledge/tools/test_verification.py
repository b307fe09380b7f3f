"""What an output says of a check is found the same whether all lines are searched or only those that may tell."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continuity.knowledge.extractors.shell.parser import parse
from continuity.knowledge.extractors.tools.verification import _COUNTS, _FAILED, _PASSED, BUILD, TEST, _telling, kind_of, outcome, summary
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import distil, person, ran

PATTERNS = {"counts": _COUNTS, "failed": _FAILED, "passed": _PASSED}


def test_it_works() -> None:
    listing = "\n".join(f"{n:5d}  value_{n} = compute({n})" for n in range(200))
    assert outcome(f"{listing}\n3 failed, 120 passed in 2.1s", None, None, True) is False
    assert outcome(f"{listing}\n120 passed in 2.1s", None, None, True) is True
    assert summary(f"{listing}\n=== 3 failed, 120 passed in 2.1s ===\n{listing[:900]}") == "3 failed, 120 passed in 2.1s"


@pytest.mark.parametrize("name", PATTERNS)
def test_no_line_that_a_pattern_finds_is_passed_over(name: str) -> None:
    pattern = PATTERNS[name]

    @settings(max_examples=300, deadline=None)
    @given(st.from_regex(pattern))
    def found(text: str) -> None:
        kept = "\n".join(_telling(text))
        assert pattern.search(kept)

    found()


@pytest.mark.parametrize("text", ["1 failed", "3 failed, 2 passed\n", "nothing"])
def test_an_exit_code_that_no_pipe_hid_decides(text: str) -> None:
    assert [outcome(text, 0, None, False), outcome(text, 1, None, False)] == [True, False]


def test_blank_lines_at_the_end_change_nothing() -> None:
    assert _telling("1 failed\nok\n\n") == _telling("1 failed\nok") == ["1 failed", "ok"]


BUN = (
    "error: Item 3 failed\n    at retry.test.ts:7\n(pass) retries\n\n"
    " 1309 pass\n 0 fail\n 2849 expect() calls\nRan 1309 tests across 58 files. [731.00ms]\n"
)


@pytest.mark.parametrize(
    ("text", "failed", "passed"),
    [
        (BUN, False, True),
        (BUN, None, False),  # nothing says that the command ended well
        (BUN, True, False),
        (BUN.replace(" 0 fail", " 2 fail"), False, False),
        (BUN + "error: script lint exited with code 1\n", False, False),
        ("Tests: 1 failed, 5 passed\n", False, False),
    ],
)
def test_what_the_last_lines_count_outweighs_what_the_work_itself_printed(text: str, failed: bool | None, passed: bool) -> None:
    assert outcome(text, None, failed, False) is passed


def checks(*runs: tuple[Message, Message]) -> dict[str, bool | None]:
    return {check.command: check.passed for check in distil(person("Split the importer."), *runs).knowledge.situation.checks}


def test_a_check_that_passes_in_a_chain_with_a_commit_has_passed() -> None:
    failed = ran("pytest -q tests/golden", "3 failed, 39 passed in 9.1s", 1, call_id="r1")
    passed = ran("pytest -q tests/golden && git commit -qam 'Compile the rules'", "42 passed in 9.8s", call_id="r2")

    assert checks(failed) == {"pytest -q tests/golden": False}
    assert checks(failed, passed) == {"pytest -q tests/golden": True}
    assert checks(failed, ran("pytest -q tests/golden; git commit -qam x", "3 failed", call_id="r2"))["pytest -q tests/golden"] is False


def test_a_run_while_the_work_was_put_aside_is_no_check_of_it() -> None:
    failed = ran("pytest -q", "1 failed, 311 passed in 9.1s", 1, call_id="r1")
    aside = ran("git stash -q && pytest -q tests/test_health.py; git stash pop -q", "4 passed in 0.1s", call_id="r2")
    now = distil(person("Mend it."), failed, aside).knowledge.situation

    assert now.verification is not None and (now.verification.command, now.verification.passed) == ("pytest -q", False)


def test_of_a_chain_that_failed_after_its_check_the_check_has_passed() -> None:
    compared = ran("cargo test -q && cmp out.json golden.json", "test result: ok. 42 passed; 0 failed\nout.json golden.json differ", 1)
    now = distil(person("Make it faster."), compared).knowledge.situation

    assert now.verification is not None and (now.verification.command, now.verification.passed) == ("cargo test -q", True)
    assert [run.passed for run in now.recent_commands] == [False], "the run as a whole failed"
    failed = ran("cargo test -q && cmp out.json golden.json", "test result: FAILED. 41 passed; 1 failed", 1)
    found = distil(person("Make it faster."), failed).knowledge.situation.verification
    assert found is not None and found.passed is False


@pytest.mark.parametrize(
    "command", ["dbt build -s orders+", "./gradlew connectedDebugAndroidTest", "terraform -chdir=envs/staging validate"]
)
def test_what_checks(command: str) -> None:
    assert checks(ran(command, "ok")) == {command: True}


PASSING = "".join(f"ok  \tshop/part{n}\t0.1s\n" for n in range(20))


@pytest.mark.parametrize(
    ("command", "printed", "passed"),
    [
        ("make test 2>&1 | head -20", PASSING, None),
        ("make test 2>&1 | head -21", PASSING, True),
        ("make test | head -n20", PASSING, None),
        ("make test 2>&1 | tail -20", PASSING, True),
        ("make test 2>&1 | head -20", PASSING.replace("ok  \tshop/part3", "FAIL\tshop/part3"), False),
        ("make test | head -2", "ok shop\n12 passed in 3s\n", True),
        ("go build ./... 2>&1 | head -30", "", True),
    ],
)
def test_a_check_whose_output_was_cut_is_not_known_to_have_passed(command: str, printed: str, passed: bool | None) -> None:
    check = distil(person("Check it."), *ran(command, printed)).state.verification
    assert check is not None and check.passed is passed


def test_what_the_linter_of_a_chain_said_proves_no_tests() -> None:
    check = distil(person("Check it."), *ran("make lint && make test", "[lint] 0 issues.\nshop tests ok")).state.verification
    assert check is not None and check.passed and check.result == ""


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("go test -tags e2e -c ./shop/... -o /dev/null", BUILD),
        ("go test -run xxx ./...", BUILD),
        ("go test -run='^$' ./...", BUILD),
        ("cargo test --no-run", BUILD),
        ("pytest --collect-only -q", BUILD),
        ("go test -count=1 ./...", TEST),
        ("pytest -c setup.cfg", TEST),
    ],
)
def test_what_only_compiles_the_tests_is_no_run_of_them(command: str, kind: int) -> None:
    assert kind_of(parse(command)) == kind
