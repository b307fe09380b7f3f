"""Several parts of the work, or edits, that one message tells: each has a line of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.evidence import CodeEdit, Failure, PartState, WorkPart
from continuity.knowledge.model import CommandRun, FileAction, FileTouch
from tests.packages.samples import KNOWLEDGE, SITUATION, prepared


def test_it_works() -> None:
    parts = tuple(WorkPart(f"Move table {n}", PartState.DONE, 18, 18) for n in range(3))
    edits = tuple(CodeEdit("jobs/nightly.py", 18, f"+step_{n} = {n}") for n in range(3))
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, parts=parts, edits=edits)), budget=4000).text
    assert "Done, 3 of 3: Move table 0; Move table 1; Move table 2" in text
    assert [n for n in range(3) if f"+step_{n} = {n}" not in text] == []


@pytest.mark.parametrize(("at", "is_told"), [(30, False), (10, True)])
def test_a_failed_check_of_a_part_is_told_until_it_has_passed(at: int, is_told: bool) -> None:
    part = WorkPart("Move the table", PartState.DONE, 18, 20, check="`pytest tests/move.py` failed: 1 failed")
    now = replace(SITUATION, parts=(part,), checks=(CommandRun("pytest tests/move.py", at, passed=True),), verification=None)
    text = prepared(replace(KNOWLEDGE, situation=now), budget=4000).text
    assert "Move the table (done)" in text
    assert ("pytest tests/move.py` failed" in text) is is_told


def test_a_part_that_is_its_own_commit_names_the_hash_alone() -> None:
    part = WorkPart("Move the table", PartState.DONE, 18, 20, files=("move.py",), commits=("abc1234 Move the table",))
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, parts=(part,))), budget=4000).text
    assert "Move the table (done); changed move.py; committed with abc1234" in text


def test_a_failure_names_what_was_changed_since() -> None:
    failure = Failure("pytest", 18, "test_total", at="cart_test.py:7", stale=True)
    now = replace(SITUATION, failures=(failure,), verification=None, checks=())
    files = tuple(FileTouch(f"/home/ada/{name}.py", FileAction.MODIFIED, seq, seq) for name, seq in (("early", 12), ("cart", 20)))
    text = prepared(replace(KNOWLEDGE, situation=now, files=files), budget=4000).text
    assert "files changed since (in cart.py)" in text
