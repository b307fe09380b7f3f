"""A chain as a tree that grows downwards: its main course in one straight line, branches beside it. Pure geometry.

Each row is drawn by itself, so that it may be as tall as its words need.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

# In units of the page's letter size. NODE: how far below the top of its row a stop stands.
NODE, LANE, MARGIN, BEND = 1, 1.25, 0.875, 0.5
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


@dataclass(slots=True)
class Placed:
    """A stop in its row: `x` is its lane, `bend` the path to it from a lane beside it, from the row's top, or nothing.

    `above` are the lanes with a line from the row's top to the height of the stop, `below` those with one from there to the row's end.
    """

    stop: Stop
    x: float
    bend: str = ""
    above: set[float] = field(default_factory=set)
    below: set[float] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class ChainPicture:
    """`placed` from top to bottom, one a row."""

    placed: Sequence[Placed]
    width: float


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
        placed[stop.id] = Placed(stop, MARGIN + min(lane, LANES) * LANE)
        waiting += [(child, lane if last else lane + 1) for child, last in _in_order(children.get(stop.id, []))]
    _join(placed)
    everything = list(placed.values())
    return ChainPicture(everything, max((each.x for each in everything), default=0) + MARGIN)


def _in_order(children: Sequence[Stop]) -> list[tuple[Stop, bool]]:
    """The children as they are put on a stack: the one that goes on straight first, so that it is taken last."""
    if not children:
        return []
    straight = next((child for child in children if child.main), children[-1])
    return [(straight, True), *((child, False) for child in reversed(children) if child is not straight)]


def _join(placed: Mapping[UUID, Placed]) -> None:
    """Draws the line from each stop's parent to it, through the rows between them."""
    lasts: dict[UUID, int] = {}  # the row of each parent's last child: so far its line goes, whatever leaves it on the way
    for row, each in enumerate(placed.values()):
        parent = placed.get(each.stop.parent) if each.stop.parent else None
        if parent:
            lasts[parent.stop.id] = row
            if parent.x == each.x:
                each.above.add(each.x)
            else:
                each.bend = f"M{parent.x} 0V{NODE - BEND}Q{parent.x} {NODE} {parent.x + BEND} {NODE}H{each.x}"
    rows = list(placed.values())
    for row, each in enumerate(rows):
        if each.stop.id in lasts:
            each.below.add(each.x)
            for between in rows[row + 1 : lasts[each.stop.id]]:
                between.above.add(each.x)
                between.below.add(each.x)
