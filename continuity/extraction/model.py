"""Questions to a model, and the parts of its answer that hold after checking. Plain values, no storage."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from continuity.knowledge.model import Anchor, AnchorState, Task, TaskStatus, Truth
from continuity.secrets import SecretSpan

METHOD = "model"  # the `method` of every anchor and task that a model proposed


class Reason(StrEnum):
    """Why something proposed was not taken."""

    SHAPE = "shape"  # not the fields that were asked for
    UNKNOWN_TYPE = "unknown_type"
    UNKNOWN_MESSAGE = "unknown_message"
    UNKNOWN_ID = "unknown_id"
    NOT_VERBATIM = "not_verbatim"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    OUT_OF_RANGE = "out_of_range"
    TOO_MANY = "too_many"
    MASKED = "masked"  # it holds a secret
    NOT_ITS_OWN = "not_its_own"  # it may not change what rules or people found
    ALREADY_KNOWN = "already_known"


@dataclass(frozen=True, slots=True)
class WindowLimits:
    """What one answer may add, and what a conversation may hold of a model's proposals; characters and counts."""

    anchors: int = 30
    tasks: int = 10
    settled: int = 20
    shortest_quote: int = 12
    longest_quote: int = 600
    summary: int = 1200
    all_anchors: int = 300
    all_critical: int = 40
    all_tasks: int = 60


@dataclass(frozen=True, slots=True)
class WindowExcerpt:
    """One text of a message. `text` is the original, `secrets` its spans; `shown` is what leaves: masked and bounded.

    `visible` are the stretches of `text` that are shown, as half-open spans of characters; none where all of it is.
    """

    seq: int
    part: int
    truth: Truth
    text: str
    shown: str
    secrets: tuple[SecretSpan, ...] = ()
    visible: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class KnownItems:
    """An open item that the model is told of under a short `id`; `own` where a model proposed it. `text` is masked."""

    id: str
    key: str
    text: str
    kind: str
    seq: int
    own: bool


@dataclass(frozen=True, slots=True)
class ModelWindow:
    """Messages `first_seq` to `last_seq`: the texts shown of them (`seqs` are their messages), and the open items known before."""

    first_seq: int
    last_seq: int
    excerpts: tuple[WindowExcerpt, ...] = ()
    anchors: tuple[KnownItems, ...] = ()
    tasks: tuple[KnownItems, ...] = ()

    @property
    def seqs(self) -> frozenset[int]:
        return frozenset(excerpt.seq for excerpt in self.excerpts)


@dataclass(frozen=True, slots=True)
class Settled:
    """An anchor that a model proposed no longer holds, as message `seq` says."""

    key: str
    state: AnchorState
    seq: int


@dataclass(frozen=True, slots=True)
class TaskMoved:
    """A task that a model proposed has another status, as message `seq` says."""

    key: str
    status: TaskStatus
    seq: int


@dataclass(frozen=True, slots=True)
class Checked:
    """What of an answer holds, and how much of it did not, by reason."""

    anchors: tuple[Anchor, ...] = ()
    tasks: tuple[Task, ...] = ()
    settled: tuple[Settled, ...] = ()
    moved: tuple[TaskMoved, ...] = ()
    summary: str = ""
    rejected: Counter[Reason] = field(default_factory=Counter)
