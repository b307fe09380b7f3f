"""Commands and how they ended: checks, errors, branches, commits, jobs."""

from __future__ import annotations

import pytest

from continuity.knowledge.extractors.shell.parser import parse
from continuity.knowledge.extractors.tools.verification import BUILD, CHECK, TEST, kind_of, outcome, summary
from continuity.knowledge.model import AnchorType
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, call, distil, harness, person, ran, result


def test_it_works() -> None:
    check = distil(*ran("pytest -q", "...\n3 failed, 120 passed in 2.1s", exit_code=1)).knowledge.situation.verification
    assert check is not None
    assert (check.command, check.exit_code, check.passed, check.result) == ("pytest -q", 1, False, "3 failed, 120 passed in 2.1s")


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        ("pytest tests -x", TEST),
        ("python -m pytest", TEST),
        ("cd app && npm test", TEST),
        ("npm run test:unit -- --watch=false", TEST),
        ("go test ./... -run TestX", TEST),
        ("cargo test", TEST),
        ("mise run test:ci 2>&1 | tail -5", TEST),
        ("make test", TEST),
        ("./gradlew test", TEST),
        ("./run_tests.sh", TEST),
        ("bundle exec rspec", TEST),
        ("ruff check .", CHECK),
        ("npx tsc --noEmit", CHECK),
        ("bun run lint", CHECK),
        ("golangci-lint run", CHECK),
        ("cargo clippy", CHECK),
        ("npm run build", BUILD),
        ("go build ./...", BUILD),
        ("make", BUILD),
        ("git commit -m 'add tests'", 0),
        ("test -f x", 0),
        ("cat tests/test_a.py", 0),
        ("npm install jest", 0),
        ("grep -r pytest .", 0),
        ("ls tests", 0),
        ("echo test", 0),
    ],
)
def test_kinds_of_checks(script: str, kind: int) -> None:
    assert kind_of(parse(script)) == kind


@pytest.mark.parametrize(
    ("text", "code", "failed", "piped", "passed"),
    [
        ("5 passed", 0, False, False, True),
        ("1 failed, 4 passed", None, False, True, False),
        ("1309 pass\n 0 fail", None, False, True, True),
        ("ok  \tpkg/a\t0.1s", None, False, True, True),
        ("--- FAIL: TestX (0.1s)\nFAIL", None, None, True, False),
        ("test result: ok. 5 passed; 0 failed", None, None, True, True),
        ("OK", None, None, False, True),
        ("Ran 3 tests\nFAILED (failures=1)", None, None, False, False),
        ("0 issues.", None, False, True, True),
        ("Checked 290 files in 106ms. No fixes applied.", None, False, True, True),
        ("Checked 290 files in 136ms. Fixed 1 file.", None, False, True, True),
        ("Checked 290 files in 98ms. No fixes applied.\nFound 2 errors.", None, False, True, False),
        ("14 files inspected, no offenses detected", None, False, True, True),
        ("14 files inspected, 2 offenses detected", None, False, True, False),
        ("All matched files use Prettier code style!", None, False, True, True),
        ("[warn] Code style issues found in 2 files.", None, False, True, False),
        ("3 files would be left unchanged.", None, False, True, True),
        ("1 file would be reformatted, 2 files would be left unchanged.", None, False, True, False),
        ("✔ No ESLint warnings or errors", None, False, True, True),
        ("No issues found!", None, False, True, True),
        ("", 0, False, False, True),
        ("", None, False, False, True),
        ("", None, False, True, None),
        ("anything", 2, None, False, False),
        ("anything", None, True, False, False),
        ("error: handled as planned", 0, False, False, True),
    ],
)
def test_outcome_of_a_check(text: str, code: int | None, failed: bool | None, piped: bool, passed: bool | None) -> None:
    assert outcome(text, code, failed, piped) is passed


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("== 3 failed, 120 passed in 2s ==", "3 failed, 120 passed in 2s"),
        ("Tests: 1 failed, 5 passed\nTime: 2s", "Tests: 1 failed, 5 passed"),
        ("a\nok  \tpkg\t0.1s", "ok  \tpkg\t0.1s"),
        ("All checks passed!", "All checks passed!"),
        ("}", ""),
    ],
)
def test_summary_line(text: str, line: str) -> None:
    assert summary(text) == line


def test_a_test_run_outranks_a_later_lint_run() -> None:
    done = distil(*ran("pytest -q", "5 passed"), *ran("ruff check .", "All checks passed!", call_id="c2"))
    assert done.knowledge.situation.verification is not None
    assert done.knowledge.situation.verification.command == "pytest -q"
    assert [c.command for c in done.knowledge.situation.recent_commands] == ["pytest -q", "ruff check ."]


def test_each_check_is_known_once_with_its_last_result_and_without_what_shortens_its_output() -> None:
    runs = [ran("make lint 2>&1 | tail -5", result, call_id=f"c{i}") for i, result in enumerate(("2 errors", "0 issues."))]
    lint, test = distil(*runs, ran("make test", "5 passed", call_id="c9")).knowledge.situation.checks

    assert (lint.command, lint.passed, lint.seq) == ("make lint", True, 3)
    assert test.command == "make test"


def test_looking_around_is_not_remembered() -> None:
    done = distil(*ran("ls -la"), *ran("git status", call_id="c2"), *ran("cat a.py | grep x", call_id="c3"))
    assert done.knowledge.situation.recent_commands == ()
    assert [look.text for look in done.knowledge.situation.looked] == ["ls -la", "git status", "cat a.py | grep x"]


def test_what_was_looked_at_is_forgotten_when_the_person_speaks() -> None:
    assert distil(*ran("ls -la"), person("Now add the tests for it.")).knowledge.situation.looked == ()


def test_a_short_output_is_kept_with_the_look() -> None:
    (look,) = distil(*ran("cat VERSION", "2.4.1")).knowledge.situation.looked
    assert look.text == "cat VERSION → 2.4.1"


def test_output_thrown_away_is_no_writing() -> None:
    assert distil(*ran("ls /srv 2>/dev/null")).knowledge.situation.recent_commands == ()


def test_a_failing_check_is_an_error_until_it_passes() -> None:
    failing = ran("pytest -q tests/test_cart.py", "FAILED tests/test_cart.py::test_total - AssertionError: 3 != 4\n1 failed", exit_code=1)
    (error,) = distil(*failing).current(AnchorType.ERROR)
    assert error.text == "FAILED tests/test_cart.py::test_total - AssertionError: 3 != 4"
    assert error.truth == "observed"
    assert distil(*failing, *ran("pytest -q tests/test_cart.py", "1 passed", call_id="c2")).current(AnchorType.ERROR) == []
    assert len(distil(*failing, *ran("pytest -q tests/test_other.py", "1 passed", call_id="c2")).current(AnchorType.ERROR)) == 1


def test_a_run_of_the_named_failing_test_closes_its_error() -> None:
    failing = ran("mise run test:ci", "--- FAIL: TestShadow_CommitBeforeStop (1.15s)\nFAIL", exit_code=1)
    passing = ran("go test ./it -run TestShadow_CommitBeforeStop", "ok  \tit\t2s", call_id="c2")
    assert distil(*failing, *passing).current(AnchorType.ERROR) == []


def test_a_search_without_hits_is_no_error() -> None:
    assert distil(*ran("grep -r foo .", "", exit_code=1)).current(AnchorType.ERROR) == []


def test_what_a_pull_moved_to_is_the_last_commit() -> None:
    done = distil(*ran("git pull --ff-only", "Updating 8dc5394f..a750f133\nFast-forward\n index.ts | 4 ++--"))
    assert [c.text for c in done.knowledge.situation.commits] == ["a750f133 (fast-forward)"]


def test_commits_and_the_branch_are_seen() -> None:
    done = distil(
        *ran("git checkout -b fix/cart", "Switched to a new branch 'fix/cart'"),
        *ran("git commit -m x", "[fix/cart abc1234] Fix the total\n 1 file", call_id="c2"),
    )
    assert done.knowledge.situation.branch == "fix/cart"
    assert [c.text for c in done.knowledge.situation.commits] == ["[fix/cart abc1234] Fix the total"]


def test_a_reported_branch_counts_when_it_changes() -> None:
    first, again = person("hi", branch="main"), agent("Done.", branch="main")
    assert distil(first, *ran("git switch -c topic"), again).knowledge.situation.branch == "topic"
    assert distil(first, *ran("git switch -c topic"), agent("Done.", branch="other")).knowledge.situation.branch == "other"


def test_the_directory_follows_cd_where_nothing_reports_it() -> None:
    talk: list[Message] = [*ran("cd /srv/app && ls", cwd=""), *ran("cd api", call_id="c2", cwd="")]
    assert distil(*talk).knowledge.situation.cwd == "/srv/app/api"


def test_background_jobs_run_until_they_end() -> None:
    started = (
        call("Bash", command="npm run dev", run_in_background=True),
        result("Command running in background with ID: b12", data={"backgroundTaskId": "b12"}),
    )
    assert distil(*started).knowledge.situation.running == ("npm run dev (b12)",)
    assert distil(*started, call("KillShell", "c2", shell_id="b12"), result("killed", "c2")).knowledge.situation.running == ()
    notice = harness("<task-notification><task-id>b12</task-id><status>completed</status></task-notification>")
    assert distil(*started, notice).knowledge.situation.running == ()


def test_a_check_that_goes_on_in_the_background_is_judged_when_it_ends() -> None:
    begun = (call("exec_command", cmd="bun run test"), result("", failed=None, data={"running": True, "session_id": 7}))
    assert distil(*begun).knowledge.situation.verification is None
    done = distil(*begun, call("write_stdin", "c2", session_id=7), result("12 pass\n0 fail", "c2", exit_code=0))
    assert done.knowledge.situation.verification is not None
    assert (done.knowledge.situation.verification.command, done.knowledge.situation.verification.passed) == ("bun run test", True)
    assert done.knowledge.situation.running == ()


def test_a_sub_agent_runs_until_its_result() -> None:
    asked = call("Task", description="Explore the importer", prompt="…")
    assert [each.text for each in distil(asked).knowledge.situation.sent] == ["Explore the importer\n…"]
    assert distil(asked, result("Found it.")).knowledge.situation.sent == ()


def test_the_failure_of_a_chain_is_over_when_the_command_it_names_passes() -> None:
    failed = ran('git commit -m "Add it" && git push', "[main 1a2b3c4] Add it\nerror: failed to push some refs to 'origin'", 1, "c1")
    again = ran("git pull --rebase && git push 2>&1", "To origin\n   1a2b3c4..5d6e7f8  main -> main", 0, "c2")
    other = ran('git commit -m "More"', "[main 9f8e7d6] More", 0, "c3")
    assert distil(person("push it"), failed).texts(AnchorType.ERROR) == ["error: failed to push some refs to 'origin'"]
    assert distil(person("push it"), failed, other).texts(AnchorType.ERROR) != []
    assert distil(person("push it"), failed, again).texts(AnchorType.ERROR) == []


def test_a_lead_in_to_what_went_wrong_is_not_what_went_wrong() -> None:
    output = 'The tool execution failed with the following error:\nTool "shell" is not allowed in ask mode, since this failed.'
    assert distil(person("list it"), ran("lister --all", output, 1)).texts(AnchorType.ERROR) == [
        'Tool "shell" is not allowed in ask mode, since this failed.'
    ]


def test_a_tag_is_not_what_a_lead_in_leads_to() -> None:
    output = 'The tool execution failed with the following error:\n<error>\nTool "shell" is not allowed in ask mode.\n</error>'
    (error,) = distil(person("list it"), ran("lister --all", output, 1)).texts(AnchorType.ERROR)
    assert error.startswith("The tool execution failed") and error.endswith("is not allowed in ask mode.")


def test_a_lead_in_is_kept_with_what_it_leads_to() -> None:
    talk = distil(person("install it"), ran("paru -S thing", "error: could not find all required packages:\n    thing to build", 1))
    assert talk.texts(AnchorType.ERROR) == ["error: could not find all required packages:\n    thing to build"]


def test_what_a_chain_did_not_run_did_not_pass() -> None:
    failed = ran("make release", "release.mk:3: error: no such tag", 2, "c1")
    for chain in ("./smoke.sh || make release", "make release; git status"):
        assert distil(person("release it"), failed, ran(chain, "fine", 0, "c2")).texts(AnchorType.ERROR) != []
    assert distil(person("release it"), failed, ran("make release && git status", "fine", 0, "c2")).texts(AnchorType.ERROR) == []
