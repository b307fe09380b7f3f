"""The fold pipeline: the state of knowledge, segments and window use, and going on from it. Pure."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from continuity import knowledge
from continuity.core.isolation import RuleFault, Skipped
from continuity.knowledge.model import Change
from continuity.segments import OpenSegment, Segmented, segment
from continuity.transcripts.base.model import Message
from continuity.usage.curve import UsageCurve, extend

Numbered: TypeAlias = tuple[int, Message, int]  # a message after its number and before its tokens

STEP = 500  # messages folded at once; a divisor of the epoch, so that a step never crosses a checkpoint


@dataclass(frozen=True, slots=True)
class PipelineState:
    """All that folding the next message goes on from."""

    state: knowledge.FoldState = field(default_factory=knowledge.FoldState)
    opened: OpenSegment = field(default_factory=OpenSegment)
    curve: UsageCurve = field(default_factory=UsageCurve)

    @classmethod
    def from_json(cls, *, state: Mapping[str, Any], segment: Mapping[str, Any], curve: dict[str, Any]) -> PipelineState:
        """Read back from its columns. Raises OutdatedState or NewerState where other rules made them."""
        return cls(knowledge.FoldState.from_json(state), OpenSegment.from_json(segment), UsageCurve.from_json(curve))

    def as_json(self, faults: list[RuleFault]) -> dict[str, Any]:
        """The columns that keep it, and the outline that packages read instead. What could not be told is entered in `faults`."""
        return {
            "state": self.state.to_json(),
            "segment": self.opened.to_json(),
            "curve": self.curve.as_json(),
            "outline": knowledge.outline_to_json(knowledge.outline_of(self.state, faults)),
        }


@dataclass(frozen=True, slots=True)
class PipelineStep:
    """The results of a step through message `through` that are to be stored: what it found, how it divided the messages, and the columns
    of where the fold then stands; `seconds` is how long finding it took. `skipped` are the messages that a reader had to pass over,
    `faults` the rules that raised."""

    through: int
    changes: Sequence[Change]
    divided: Segmented
    columns: Mapping[str, Any]
    seconds: float
    skipped: Skipped = ()
    faults: Sequence[RuleFault] = ()


def end_of_step(after: int) -> int:
    """The last message of the step that begins after a message, where there are enough."""
    return after - after % STEP + STEP


def fold_step(start: PipelineState, messages: Sequence[Numbered], through: int) -> PipelineStep:
    """Folds the messages of one step on from `start`, through a number that may be of one that was rewound."""
    started = time.perf_counter()
    folded = knowledge.fold(start.state, ((seq, message) for seq, message, _ in messages))
    divided = segment(start.opened, messages)
    extended = extend(start.curve, messages)
    faults = list(folded.faults)
    columns = PipelineState(folded.state, divided.state, extended.curve).as_json(faults)
    skipped = (*folded.skipped, *divided.skipped, *extended.skipped)
    return PipelineStep(
        through=through,
        changes=folded.changes,
        divided=divided,
        columns=columns,
        seconds=time.perf_counter() - started,
        skipped=skipped,
        faults=faults,
    )
