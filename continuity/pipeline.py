"""Where a fold stands in all that is folded (knowledge, segments, how the window filled), and going on from there. Pure."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from continuity import knowledge
from continuity.core.isolation import MessageSkipped, RuleFault, Skipped
from continuity.knowledge.model import Change
from continuity.segments import OpenSegment, Segment, Segmented, segment
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
    """What a step through message `through` has to store: what it found, how it divided the messages, and the columns of where
    the fold then stands; `seconds` is how long finding it took. `skipped` are the messages that a reader had to pass over, `faults` the
    rules that raised."""

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


class StepRunner:
    """Folds messages as they come, and gives what a step has to store where one ends."""

    def __init__(self, at: PipelineState, after: int) -> None:
        self.at = at
        self._through = self._after = after
        self._changes: list[Change] = []
        self._closed: list[Segment] = []
        self._skipped: list[MessageSkipped] = []
        self._faults: list[RuleFault] = []
        self._seconds = 0.0

    def add(self, messages: Sequence[Numbered], through: int) -> list[PipelineStep]:
        """Folds the next messages, through a number that may be of one that was rewound; returns the steps that ended."""
        ended: list[PipelineStep] = []
        while self._through < through:
            last = min(end_of_step(self._after), through)
            now = [numbered for numbered in messages if numbered[0] <= last]
            messages = messages[len(now) :]
            self._fold(now, last)
            if last == end_of_step(self._after):
                ended.append(self.end())
        return ended

    def end(self) -> PipelineStep:
        """What there is to store since the last step, and begins the next one."""
        started = time.perf_counter()
        columns = self.at.as_json(self._faults)
        divided = Segmented(self.at.opened, tuple(self._closed))
        seconds = self._seconds + time.perf_counter() - started
        step = PipelineStep(self._through, self._changes, divided, columns, seconds, tuple(self._skipped), self._faults)
        self._after, self._changes, self._closed, self._seconds = self._through, [], [], 0.0
        self._skipped, self._faults = [], []
        return step

    def _fold(self, messages: Sequence[Numbered], through: int) -> None:
        started = time.perf_counter()
        folded = knowledge.fold(self.at.state, ((seq, message) for seq, message, _ in messages))
        divided = segment(self.at.opened, messages)
        extended = extend(self.at.curve, messages)
        self.at = PipelineState(folded.state, divided.state, extended.curve)
        self._skipped += (*folded.skipped, *divided.skipped, *extended.skipped)
        self._faults += folded.faults
        self._changes += folded.changes
        self._closed += divided.closed
        self._through = through
        self._seconds += time.perf_counter() - started
