"""Commands that their program did not understand: the next session need not learn it anew."""

from __future__ import annotations

from time import perf_counter

import pytest

from continuity.knowledge import FoldState
from continuity.knowledge.evidence import MisusedCommand
from continuity.knowledge.extractors.outcomes.misused_commands import WITHIN
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, distil, person, ran
from tests.packages.samples import prepared

ASKED = person("Remove the button, please")
UNKNOWN = "error: unrecognized subcommand 'bun'\n\nUsage: rtk [OPTIONS] <COMMAND>\n\nFor more information, try '--help'."


def misused(*messages: Message | tuple[Message, ...]) -> list[tuple[str, str, str]]:
    found: tuple[MisusedCommand, ...] = distil(*messages).knowledge.situation.misused
    return [(each.command, each.told, each.instead) for each in found]


def test_it_works() -> None:
    told = misused(ASKED, ran("rtk bun run test 2>&1 | tail -30", UNKNOWN), ran("bun run test 2>&1 | tail -30", "1329 pass", call_id="c2"))
    assert told == [("rtk bun run test", "error: unrecognized subcommand 'bun'", "bun run test")]


@pytest.mark.parametrize(
    ("command", "output", "instead"),
    [
        ("gh pr diff 104 --stat", "unknown flag: --stat\n\nUsage:  gh pr diff", "gh pr diff 104 --name-only"),
        ("gh pr diff 34 -- a.go b.go", "accepts at most 1 arg(s), received 3", "gh pr diff 34"),
        ("python -m pytest -q", "bash: python: command not found", "python3 -m pytest -q"),
        ("npm run test", 'npm error Missing script: "test"', "npm run test:unit"),
    ],
)
def test_what_a_program_does_not_understand_is_kept_with_what_it_does(command: str, output: str, instead: str) -> None:
    told = misused(ASKED, ran(command, output, 1), ran(instead, "fine", call_id="c2"))
    assert told == [(command, output.partition("\n")[0], instead)]


def test_another_command_is_not_what_worked_instead() -> None:
    failed = ran("gh pr diff 104 --stat", "unknown flag: --stat", 1)
    assert misused(ASKED, failed, ran("make test", "fine", call_id="c2"))[0][2] == ""
    later = [agent(f"Step {n} is done.") for n in range(WITHIN)]
    assert misused(ASKED, failed, *later, ran("gh pr diff 104 --name-only", "a.go", call_id="c2"))[0][2] == ""


@pytest.mark.parametrize("command", ["gh pr diff --help", "rm -r 104", "gh api repos/o/r/pulls/34/files"])
def test_help_and_another_part_of_the_program_are_not_what_worked(command: str) -> None:
    assert misused(ASKED, ran("gh pr diff 104 --stat", "unknown flag: --stat", 1), ran(command, "a.go", call_id="c2"))[0][2] == ""


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("/tmp/shop-test enabl", 'Unknown command "enabl" for "shop". Did you mean "enable"?'),
        ("./bin/shop enabl", 'Unknown command "enabl" for "shop".'),
        ("go run ./cmd/shop enabl", 'Unknown command "enabl" for "shop".'),
        ("python shop.py enabl", "error: invalid option: enabl"),
        ("go test ./... -v | grep -E '--- FAIL'", "grep: unrecognized option `--- FAIL'"),
        ("go test ./...", "--- FAIL: TestUsage: unknown option is not refused"),
        ("make test", "main_test.go:12: unknown command was run"),
    ],
)
def test_neither_a_test_of_what_is_built_nor_a_filter_is_misuse(command: str, output: str) -> None:
    assert misused(ASKED, ran(command, output, 1)) == []


def test_a_command_that_is_understood_by_now_is_none() -> None:
    failed = ran("npm run lint", 'npm error Missing script: "lint"', 1)
    assert misused(ASKED, failed, ran("npm run lint", "clean", call_id="c2")) == []


@pytest.mark.parametrize("output", ["FAIL: an unknown option was expected to be refused", "x" * 3000 + "\nunknown option: -q"])
def test_a_long_output_that_ended_well_tells_of_no_misuse(output: str) -> None:
    assert misused(ASKED, ran("make test", "ok\n" * 400 + output)) == []


def test_it_stays_known_over_a_stored_state() -> None:
    state = distil(ASKED, ran("rtk bun run test", UNKNOWN), ran("bun run test", "1329 pass", call_id="c2")).state
    assert FoldState.from_json(state.to_json()).misused.values() == state.misused.values()


def test_the_directive_tells_what_worked() -> None:
    known = distil(ASKED, ran("rtk bun run test", UNKNOWN), ran("bun run test", "1329 pass", call_id="c2"), agent("All pass.")).knowledge
    told = "- Not understood: `rtk bun run test`: “error: unrecognized subcommand 'bun'”; this worked: `bun run test` [m3]"
    assert told in prepared(known, budget=4000).text


@pytest.mark.parametrize("text", ["unknown " * 50_000, " " * 200_000 + "x", "\n".join(["no such " * 20] * 3000)])
def test_hostile_outputs_take_no_time(text: str) -> None:
    started = perf_counter()
    misused(ASKED, ran("make it", text, 1))
    assert perf_counter() - started < 2
