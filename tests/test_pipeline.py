"""What a step stores does not depend on how its messages came."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from continuity.pipeline import STEP, PipelineState, PipelineStep, StepRunner, end_of_step
from diagnostics.bench import material

MESSAGES = [(seq, message, 10) for seq, message in enumerate(material.messages(3, STEP + 140), start=1)]
LAST = MESSAGES[-1][0]


def in_batches(size: int) -> list[PipelineStep]:
    steps = StepRunner(PipelineState(), 0)
    ended = [step for start in range(0, LAST, size) for step in steps.add(MESSAGES[start : start + size], min(start + size, LAST))]
    return [replace(step, seconds=0.0) for step in [*ended, steps.end()]]


def test_it_works() -> None:
    first, second = in_batches(LAST)
    assert (first.through, second.through) == (STEP, LAST)
    assert first.changes and second.divided.closed


@pytest.mark.parametrize("size", [1, 97, STEP])
def test_batches_make_no_difference(size: int) -> None:
    assert in_batches(size) == in_batches(LAST)


def test_what_is_stored_is_gone_on_from() -> None:
    first, second = in_batches(LAST)
    columns = json.loads(json.dumps(first.columns))
    del columns["outline"]
    steps = StepRunner(PipelineState.from_json(**columns), STEP)
    assert steps.add(MESSAGES[STEP:], LAST) == []
    assert replace(steps.end(), seconds=0.0) == second


def test_a_rewound_last_message_ends_a_step_too() -> None:
    steps = StepRunner(PipelineState(), 0)
    (ended,) = steps.add(MESSAGES[: STEP - 1], STEP)
    assert (ended.through, len(ended.changes) > 0) == (STEP, True)


def test_a_step_ends_where_the_next_begins() -> None:
    assert [end_of_step(after) for after in (0, 1, STEP - 1, STEP)] == [STEP, STEP, STEP, 2 * STEP]
