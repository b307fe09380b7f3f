"""A command behind `sudo`, `env`, `bash -c` and the like is that command."""

from __future__ import annotations

import pytest

from continuity.knowledge.model import AnchorType
from tests.knowledge.talk import distil, person, ran


@pytest.mark.parametrize(("command", "output", "commit"), [
    ("rtk git commit -m 'Fix the total'", "ok ✓ abc1234", "abc1234 Fix the total"),
    ("git commit -q -m 'Fix the total'", "", "Fix the total"),
    ("sudo -u ada git commit -m x", "[main abc1234] Fix the total", "[main abc1234] Fix the total"),
    ("bash -lc 'git add . && git commit -m x'", "[main abc1234] Fix the total", "[main abc1234] Fix the total"),
    ("git commit -m \"$(cat <<'EOF'\nFix the total\n\nIt was off.\nEOF\n)\" | tail -1", "1 file changed", "Fix the total"),
])  # fmt: skip
def test_it_works(command: str, output: str, commit: str) -> None:
    assert [c.text for c in distil(*ran(command, output)).state.commits] == [commit]


@pytest.mark.parametrize(("command", "output"), [
    ("git commit -m x | tail -2", "nothing to commit, working tree clean"), ("git commit -q -m x; true", "error: pathspec"),
    ("echo git commit -m x", "ok abc1234"), ("git commit -m x || true", "Aborting commit due to empty commit message."),
])  # fmt: skip
def test_a_commit_that_was_not_made_is_not_seen(command: str, output: str) -> None:
    assert distil(*ran(command, output)).state.commits == ()


def test_a_check_behind_a_wrapper_is_that_check() -> None:
    done = distil(*ran("rtk timeout 60 env CI=1 pytest -q", "3 passed"), *ran("bash -c 'ruff check .'", "All checks passed!", call_id="c2"))
    assert [check.command for check in done.knowledge.situation.checks] == ["rtk timeout 60 env CI=1 pytest -q", "bash -c 'ruff check .'"]


def test_a_check_has_one_line_however_it_is_wrapped() -> None:
    done = distil(*ran("rtk pytest -q", "1 failed", 1), *ran("cd /home/ada/shop && pytest -q | tail -3", "3 passed", call_id="c2"))
    (check,) = done.knowledge.situation.checks
    assert (check.command, check.passed) == ("cd /home/ada/shop && pytest -q", True)
    assert done.texts(AnchorType.ERROR) == []


def test_a_wrapper_that_does_not_know_a_command_ran_no_check() -> None:
    done = distil(*ran("rtk bun run test 2>&1 | tail -20", "error: unrecognized subcommand 'bun'\n\nUsage: rtk [OPTIONS] <COMMAND>", 0))
    assert (done.knowledge.situation.checks, done.knowledge.situation.verification, done.texts(AnchorType.ERROR)) == ((), None, [])


def test_what_a_harness_or_a_runner_of_tasks_says_is_no_error() -> None:
    for said in ("<tool_use_error>Sibling tool call errored</tool_use_error>", "shop.go:3 dupl\n[lint] ERROR task failed"):
        assert list(distil(person("Check it."), *ran("make lint", said, 1)).state.errors) == [], said
    logged = distil(person("Check it."), *ran("make test", "12:06 INFO carts=2 --- FAIL: TestCartIsEmpty (0.01s)", 1)).knowledge.anchors
    assert [each.text for each in logged if each.type is AnchorType.ERROR] == ["--- FAIL: TestCartIsEmpty (0.01s)"]
