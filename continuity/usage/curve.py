"""The use of a context window, message by message, in a bounded number of points. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from continuity.core.isolation import Skipped, read_on
from continuity.transcripts.base.model import Message
from continuity.usage.token_ledger import Ledger, account

READER = "usage"
POINTS = 240
FALL = 0.75  # a window that shrinks to less than this share was compacted: both sides of the fall are kept


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """After message `seq` of turn `turn`, `tokens` filled the window."""

    seq: int
    turn: int
    tokens: int


@dataclass(frozen=True, slots=True)
class UsageCurve:
    """Points at least `stride` messages apart, oldest first, and the ledger after message `through_seq`."""

    points: tuple[CurvePoint, ...] = ()
    stride: int = 1
    through_seq: int = 0
    ledger: Ledger = field(default_factory=Ledger)

    def as_json(self) -> dict[str, Any]:
        points = [[point.seq, point.turn, point.tokens] for point in self.points]
        return {"points": points, "stride": self.stride, "through_seq": self.through_seq, "ledger": asdict(self.ledger)}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> UsageCurve:
        """Read back; an empty record is a curve that has not begun."""
        if not record:
            return cls()
        points = tuple(CurvePoint(*values) for values in record["points"])
        return cls(points, record["stride"], record["through_seq"], Ledger(**record["ledger"]))


@dataclass(frozen=True, slots=True)
class Extended:
    """The curve, and the messages that were passed over since reading them raised."""

    curve: UsageCurve
    skipped: Skipped = ()


def extend(curve: UsageCurve, messages: Iterable[tuple[int, Message, int]]) -> Extended:
    """The curve after more messages (number, message, tokens). Those it has seen are passed over, so that reading again adds nothing."""
    return Extended(*read_on(curve, list(messages), read=_read, pass_over=_pass_over, reader=READER))


def _pass_over(curve: UsageCurve, message: tuple[int, Message, int]) -> UsageCurve:
    return replace(curve, through_seq=max(curve.through_seq, message[0]))


def _read(curve: UsageCurve, messages: Sequence[tuple[int, Message, int]]) -> UsageCurve:
    points, stride, through, ledger = list(curve.points), curve.stride, curve.through_seq, curve.ledger
    for seq, message, tokens in messages:
        if seq <= through:
            continue
        before, ledger = CurvePoint(through, ledger.turns, ledger.context), account(ledger, message, tokens)
        here, through = CurvePoint(seq, ledger.turns, ledger.context), seq
        fell = here.tokens < before.tokens * FALL
        if fell and points and points[-1].seq < before.seq:
            points.append(before)
        if fell or not points or seq - points[-1].seq >= stride:
            points.append(here)
        if len(points) > POINTS:
            points, stride = points[::2], stride * 2
    return replace(curve, points=tuple(points), stride=stride, through_seq=through, ledger=ledger)
