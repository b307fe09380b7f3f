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
    assert steps[0] == "1. Mend what fails"
    assert steps[1] == "2. Then run `go test ./...` again"


def test_the_announced_change_mends_what_fails() -> None:
    said = "The test expects the old answer. I need to update `TestFallsBack` to expect the new one."
    steps = coming(ASKED, edit("resume.go"), ran("go test ./...", FAILED, 1), agent(said))
    assert "I need to update `TestFallsBack`" in steps[0]
    assert steps[1] == "2. Then run `go test ./...` again"


def test_what_was_started_again_is_not_to_be_run_again() -> None:
    again = call("Bash", "c7", command="go test ./... 2>&1 | tail -30")
    text = text_of(ASKED, edit("resume.go"), ran("go test ./...", FAILED, 1), edit("resume_test.go"), again)
    assert "find out whether it was done: `go test ./... 2>&1 | tail -30`" in text
    assert "— only tests changed since, started again, with no result yet" in text
    assert "To run again" not in text and "` again" not in text.partition("## Next")[2]


def test_the_last_check_is_one_of_the_open_request() -> None:
    before = (person("Tell the user which branch is missing."), edit("resume.go"), ran("go test ./...", "ok shop 1.2s"), agent("Done."))
    text = text_of(*before, person("fix lint"), ran("mise run lint", "0 issues."))
    assert "- Last check: `mise run lint` passed" in text
    assert "- Also checked with `go test ./...` passed (exit 0) — before this request" in text
    assert "- Last check: `go test ./...` passed (exit 0) — before this request" in text_of(*before, person("fix lint"))


def test_the_lines_are_read_again() -> None:
    for since in ("before this request", "before this request, 2 files changed since, not run again"):
        known = command(f"`make test` passed: “4 passed” — {since}")
        assert known is not None and (known.result, known.outdated) == ("4 passed", "changed" in since)
    known = command("`make test` failed — only tests changed since, started again, with no result yet")
    assert known is not None and known.outdated
