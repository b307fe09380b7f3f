"""Folding a message costs as much late in a conversation as early: counted in calls, not in time."""

from __future__ import annotations

import sys
from itertools import islice
from types import FrameType
from typing import Any

from continuity.knowledge import FoldState, fold
from continuity.transcripts.base.model import Message
from diagnostics.bench import material
from handoffs.fidelity.probes import Bank

BATCH = 240
EARLY, LATE = 720, 2160


def calls(state: FoldState, batch: list[tuple[int, Message]]) -> int:
    """How many functions of Python are called while a batch is folded."""
    count = 0

    def called(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(called)
    try:
        fold(state, batch)
    finally:
        sys.setprofile(None)
    return count


def test_it_works() -> None:
    numbered = enumerate(material.messages(3, LATE + BATCH), 1)
    state, before = FoldState(), list(islice(numbered, EARLY))
    state = fold(state, before).state
    early = calls(state, batch := list(islice(numbered, BATCH)))
    state = fold(state, [*batch, *islice(numbered, LATE - EARLY - BATCH)]).state
    late = calls(state, list(islice(numbered, BATCH)))

    assert late < 1.25 * early


def test_the_evidence_of_a_check_is_bounded() -> None:
    numbered = list(enumerate(material.messages(3, LATE), 1))
    early, _ = Bank().read_on(numbered[:EARLY])
    late, _ = early.read_on(numbered[EARLY:])

    assert len(repr(late.course)) < 1.5 * len(repr(early.course))
