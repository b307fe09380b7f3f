"""Which failures a later run of a chain of commands has mended."""

from __future__ import annotations

import pytest

from continuity.knowledge.extractors.tools.commands import without_filters
from continuity.knowledge.model import CommandRun
from handoffs.directive.lines.reruns import passed_since


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
