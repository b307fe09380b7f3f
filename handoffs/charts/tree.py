"""A chain as a tree that grows downwards: its main course in one straight line, branches beside it. Pure geometry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

ROW, LANE, MARGIN, BEND = 32, 20, 14, 8
LANES = 12  # what branches off more often than this is drawn on the last lane


class NodeKind(StrEnum):
    SESSION = "session"
    HANDOFF = "handoff"


@dataclass(frozen=True, slots=True)
class Stop:
    """A session or a handoff. `parent` is what it follows from, `main` whether the chain's main course goes through it.

    `level` is its colour, `reached` whether somebody went on from it.
    """

    id: UUID
    kind: NodeKind
    parent: UUID | None
    main: bool
    level: str = ""
    reached: bool = True


@dataclass(frozen=True, slots=True)
class Placed:
    stop: Stop
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class ChainPicture:
    """`placed` from top to bottom, one a row of `ROW` units; `lines` are the paths between them."""

    placed: Sequence[Placed]
    lines: Sequence[str]
    width: int
    height: int


def tree(stops: Sequence[Stop]) -> ChainPicture:
    """Where each stop and each line goes. Among those with one parent the given order holds, the main one comes last.

    A stop whose parent is not among them begins a tree of its own.
    """
    known = {stop.id for stop in stops}
    children: dict[UUID | None, list[Stop]] = {}
    for stop in stops:
        children.setdefault(stop.parent if stop.parent in known else None, []).append(stop)
    placed: dict[UUID, Placed] = {}
    waiting = [(stop, 0) for stop in reversed(children.get(None, []))]
    while waiting:
        stop, lane = waiting.pop()
        placed[stop.id] = Placed(stop, MARGIN + min(lane, LANES) * LANE, ROW // 2 + len(placed) * ROW)
        waiting += [(child, lane if last else lane + 1) for child, last in _in_order(children.get(stop.id, []))]
    everything = list(placed.values())
    width = max((each.x for each in everything), default=0) + MARGIN
    return ChainPicture(everything, _lines(placed), width, len(everything) * ROW)


def _in_order(children: Sequence[Stop]) -> list[tuple[Stop, bool]]:
    """The children as they are put on a stack: the one that goes on straight first, so that it is taken last."""
    if not children:
        return []
    straight = next((child for child in children if child.main), children[-1])
    return [(straight, True), *((child, False) for child in reversed(children) if child is not straight)]


def _lines(placed: Mapping[UUID, Placed]) -> list[str]:
    pairs = ((placed.get(each.stop.parent), each) for each in placed.values() if each.stop.parent)
    return [_line(parent, child) for parent, child in pairs if parent]


def _line(parent: Placed, child: Placed) -> str:
    if parent.x == child.x:
        return f"M{parent.x} {parent.y}V{child.y}"
    bend = f"Q{parent.x} {child.y} {parent.x + BEND} {child.y}"
    return f"M{parent.x} {parent.y}V{child.y - BEND}{bend}H{child.x}"
