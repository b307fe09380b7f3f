"""The picture of a chain: every stop has its row, every line leads from parent to child, fifty hops stay in one line."""

from collections.abc import Sequence
from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from handoffs.charts.tree import LANE, LANES, NodeKind, Placed, Stop, tree


def stop(parent: Stop | None, *, main: bool = True, id: UUID | None = None) -> Stop:
    return Stop(id or uuid4(), NodeKind.HANDOFF, parent.id if parent else None, main)


def course(length: int) -> list[Stop]:
    stops = [stop(None)]
    for _ in range(length - 1):
        stops.append(stop(stops[-1]))
    return stops


def test_it_works():
    root = stop(None)
    branch, main = stop(root, main=False), stop(root)
    first, across, straight = tree([root, main, branch]).placed
    assert [each.stop for each in (first, across, straight)] == [root, branch, main]
    assert straight.x == first.x < across.x
    assert (first.above, first.below) == (set(), {first.x})
    assert across.bend.startswith(f"M{first.x} 0V")
    assert across.bend.endswith(f"H{across.x}")
    assert (across.above, across.below) == ({first.x}, {first.x})  # to the main one, past the branch
    assert (straight.above, straight.below, straight.bend) == ({first.x}, set(), "")


def test_fifty_hops_stand_in_one_line():
    placed = tree(course(101)).placed
    lane = placed[0].x
    assert {each.x for each in placed} == {lane}
    assert all(each.above == {lane} and not each.bend for each in placed[1:])
    assert all(each.below == {lane} for each in placed[:-1])
    assert not placed[0].above | placed[-1].below


def test_what_follows_from_something_deleted_begins_a_tree_of_its_own():
    lost = stop(None)
    first, second, third = tree([stop(lost), *course(2)]).placed
    assert not first.above | first.below
    assert second.below == third.above != set()


def test_a_thousand_branches_of_branches_stay_on_the_page():
    stops = [stop(None)]
    for _ in range(1000):
        stops += [stop(stops[-1], main=False), stop(stops[-1])]
    assert {each.x for each in tree(stops).placed} <= {tree(stops[:1]).placed[0].x + lane * LANE for lane in range(LANES + 1)}


@given(st.lists(st.tuples(st.integers(0, 40), st.booleans()), max_size=40))
def test_every_stop_has_a_row_below_its_parents_and_a_line_from_it(shape):
    stops = [stop(None)]
    for at, main in shape:
        stops.append(stop(stops[at % len(stops)], main=main))
    placed = tree(stops).placed
    rows = {each.stop.id: row for row, each in enumerate(placed)}
    assert len(rows) == len(stops)
    for row, each in enumerate(placed):
        if each.stop.parent:
            assert rows[each.stop.parent] < row
            assert _leads(placed[rows[each.stop.parent] : row + 1])


def _leads(between: Sequence[Placed]) -> bool:
    parent, *passed, child = between
    arrives = parent.x in child.above if child.x == parent.x else child.bend.startswith(f"M{parent.x} 0V")
    return parent.x in parent.below and all(parent.x in row.above & row.below for row in passed) and arrives
