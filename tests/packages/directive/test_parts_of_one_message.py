"""Several parts of the work, or edits, that one message tells: each has a line of its own."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.evidence import CodeEdit, PartState, WorkPart
from tests.packages.samples import KNOWLEDGE, SITUATION, prepared


def test_it_works() -> None:
    parts = tuple(WorkPart(f"Move table {n}", PartState.DONE, 18, 18) for n in range(3))
    edits = tuple(CodeEdit("jobs/nightly.py", 18, f"+step_{n} = {n}") for n in range(3))
    text = prepared(replace(KNOWLEDGE, situation=replace(SITUATION, parts=parts, edits=edits)), budget=4000).text
    assert [n for n in range(3) if f"Move table {n} (done)" not in text] == []
    assert [n for n in range(3) if f"+step_{n} = {n}" not in text] == []
