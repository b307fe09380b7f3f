"""Several parts of the work, or edits, that one message tells: each has a line of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.evidence import CodeEdit, PartState, WorkPart
from continuity.knowledge.model import CommandRun
from tests.packages.samples import KNOWLEDGE, SITUATION, prepared


def test_it_works() -> None:
    parts = tuple(WorkPart(f"Move table {n}", PartState.DONE, 18, 18) for n in range(3))
    edits = tuple(CodeEdit("jobs/nightly.py", 18, f"+step_{n} = {n}") for n in range(3))
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, parts=parts, edits=edits)), budget=4000).text
    assert [n for n in range(3) if f"Move table {n} (done)" not in text] == []
    assert [n for n in range(3) if f"+step_{n} = {n}" not in text] == []


@pytest.mark.parametrize(("at", "is_told"), [(30, False), (10, True)])
def test_a_failed_check_of_a_part_is_told_until_it_has_passed(at: int, is_told: bool) -> None:
    part = WorkPart("Move the table", PartState.DONE, 18, 20, check="`pytest tests/move.py` failed: 1 failed")
    now = replace(SITUATION, parts=(part,), checks=(CommandRun("pytest tests/move.py", at, passed=True),), verification=None)
    text = prepared(replace(KNOWLEDGE, situation=now), budget=4000).text
    assert "Move the table (done)" in text
    assert ("pytest tests/move.py` failed" in text) is is_told
