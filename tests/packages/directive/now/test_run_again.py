"""What has to run again: not what was started again, and after what is to be mended."""

from __future__ import annotations

from continuity.knowledge.directive_parser.values import command
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import CWD, agent, call, distil, person, ran, result
from tests.packages.samples import prepared

ASKED = person("Raise the quiet error where the remote has no branch for it.")
FAILED = "--- FAIL: TestFallsBack (0.02s)\nFAIL"


def edit(path: str) -> tuple[Message, ...]:
    return call("Edit", "e1", file_path=f"{CWD}/{path}", old_string="a = 1", new_string="a = 2"), result("Updated.", "e1")


def coming(*messages: Message | tuple[Message, ...]) -> list[str]:
    return text_of(*messages).partition("## Next\n")[2].partition("\n\n")[0].split("\n")


def text_of(*messages: Message | tuple[Message, ...]) -> str:
    return prepared(distil(*messages).knowledge).text


def test_it_works() -> None:
    steps = coming(ASKED, edit("resume.go"), ran("go test ./...", FAILED, 1))
    assert steps[0] == "1. Mend “TestFallsBack”"
    assert steps[1] == "2. Then run `go test ./...` again"


def test_the_announced_change_mends_what_fails() -> None:
    said = "The test expects the old answer. I need to update `TestFallsBack` to expect the new one."
    steps = coming(ASKED, edit("resume.go"), ran("go test ./...", FAILED, 1), agent(said))
    assert "I need to update `TestFallsBack`" in steps[0]
    assert steps[1] == "2. Then run `go test ./...` again"


def test_what_was_started_again_is_not_to_be_run_again() -> None:
    again = call("Bash", "c7", command="go test ./... 2>&1 | tail -30")
    text = text_of(ASKED, edit("resume.go"), ran("go test ./...", FAILED, 1), edit("resume_test.go"), again)
    assert "1. Run `go test ./...` again: no result of it was seen\n" in text.partition("## Next")[2]
    assert "— only tests changed since, started again, with no result yet" in text
    assert "To run again" not in text and text.partition("## Next")[2].count("` again") == 1


def test_the_change_that_was_announced_comes_before_its_check() -> None:
    checked = (ASKED, edit("resume.go"), ran("go test ./...", "ok shop 1.2s"), edit("resume.go"))
    steps = coming(*checked, agent("That compares strings. Let me use `slices.Equal` instead."))
    assert "Let me use `slices.Equal` instead" in steps[0]
    assert steps[1] == "2. Run `go test ./...` again: files were changed since"
    assert "Run `go test ./...` again" in coming(*checked, agent("All of it is in. Let me commit the change."))[0]


def test_a_run_that_was_announced_is_no_step_beside_the_check_itself() -> None:
    failed = (ASKED, edit("resume.go"), ran("go test ./...", FAILED, 1), edit("resume.go"))
    steps = coming(*failed, agent("Now let's run the test again to verify the fix."))
    assert len([step for step in steps if step]) == 1 and "Run `go test ./...` again" in steps[0]


def test_what_is_to_be_mended_is_told_with_its_cause() -> None:
    printed = "shop/setup_test.go:50:21: env.runShop undefined (type *Env has no field or method runShop)\nFAIL"
    said = "The `runShop` method was defined in `start_test.go` which I deleted.\n\nLet me look at the helpers:"
    looks = call("Read", "r7", file_path=f"{CWD}/a_test.go")
    steps = coming(ASKED, edit("resume.go"), ran("go test ./...", printed, 1), agent(said), looks)
    assert steps[0].startswith("1. Was looking at this")
    assert steps[1] == "2. Mend setup_test.go:50 — the agent said: “The `runShop` method was defined in `start_test.go` which I deleted.”"


def test_the_last_check_is_one_of_the_open_request() -> None:
    before = (person("Tell the user which branch is missing."), edit("resume.go"), ran("go test ./...", "ok shop 1.2s"), agent("Done."))
    text = text_of(*before, person("fix lint"), ran("mise run lint", "0 issues."))
    assert "- Last check: `mise run lint` passed" in text
    assert "- Also checked with `go test ./...` passed (exit 0) — before this request" in text
    assert "- Last check: `go test ./...` passed (exit 0) — no code was changed after it" in text_of(*before, person("fix lint"))


def test_a_build_that_failed_after_the_tests_is_the_last_check() -> None:
    tested = (ASKED, edit("resume.go"), ran("go test ./...", "ok shop 1.2s"), edit("resume.go"))
    text = text_of(*tested, ran("go build ./...", "resume.go:9:2: undefined: sum", 1), edit("start.go"))
    assert "- Last check: `go build ./...` failed (exit 1)" in text
    assert "Run `go build ./...` again: it failed, and files were changed since" in text
    again = ran("go build ./...", "resume.go:9:2: undefined: sum", 1), edit("start.go"), ran("go test ./...", "ok shop 1.2s")
    assert "- Last check: `go test ./...` passed" in text_of(*tested, *again)


def test_the_lines_are_read_again() -> None:
    for since in ("before this request", "before this request, 2 files changed since, not run again"):
        known = command(f"`make test` passed: “4 passed” — {since}")
        assert known is not None and (known.result, known.outdated) == ("4 passed", "changed" in since)
    known = command("`make test` failed — only tests changed since, started again, with no result yet")
    assert known is not None and known.outdated


def test_a_check_that_failed_tells_what_stopped_it_and_not_what_went_well_before() -> None:
    printed = (
        "==> Configuring the harness\nInstalled 6 hooks for the shop\nsh: /tmp/app: No such file or directory\nShell cwd was reset to /repo"
    )
    text = text_of(ASKED, edit("resume.go"), ran("./test-app.sh two", printed, 1))
    assert "failed (exit 1): “sh: /tmp/app: No such file or directory”" in text
    text = text_of(ASKED, edit("resume.go"), ran("./test-app.sh two", "==> Configuring the harness\nShell cwd was reset to /repo", 1))
    assert "Shell cwd" not in text


def test_a_run_that_failed_and_passed_later_is_over() -> None:
    mended = (ran("./make-repo.sh app", "sh: no such file or directory", 127), ran("cd /repo && ./make-repo.sh app", "Made the app."))
    assert "no such file" not in text_of(ASKED, edit("resume.go"), *mended)
