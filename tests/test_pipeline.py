"""What a step stores does not depend on how its messages came."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from continuity.pipeline import STEP, PipelineState, PipelineStep, end_of_step, fold_step
from diagnostics.bench import material

MESSAGES = [(seq, message, 10) for seq, message in enumerate(material.messages(3, STEP + 140), start=1)]
LAST = MESSAGES[-1][0]


def step(start: PipelineState, after: int, through: int) -> PipelineStep:
    return replace(fold_step(start, MESSAGES[after:through], through), seconds=0.0)


def stored(step: PipelineStep) -> PipelineState:
    """The state as the columns give it back."""
    columns = json.loads(json.dumps(step.columns))
    del columns["outline"]
    return PipelineState.from_json(**columns)


def test_it_works() -> None:
    first = step(PipelineState(), 0, STEP)
    second = step(stored(first), STEP, LAST)
    assert (first.through, second.through) == (STEP, LAST)
    assert first.changes and second.divided.closed


@pytest.mark.parametrize("size", [7, 97])
def test_shorter_steps_end_in_the_same_state(size: int) -> None:
    state = PipelineState()
    for after in range(0, 200, size):
        last = step(state, after, min(after + size, 200))
        state = stored(last)
    assert last.columns == step(PipelineState(), 0, 200).columns


def test_a_rewound_last_message_ends_a_step_too() -> None:
    ended = fold_step(PipelineState(), MESSAGES[: STEP - 1], STEP)
    assert (ended.through, len(ended.changes) > 0) == (STEP, True)


def test_a_step_ends_where_the_next_begins() -> None:
    assert [end_of_step(after) for after in (0, 1, STEP - 1, STEP)] == [STEP, STEP, STEP, 2 * STEP]
