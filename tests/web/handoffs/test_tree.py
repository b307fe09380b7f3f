"""The picture of a chain: every stop has its place, nothing crosses, fifty hops stay in one line."""

from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from handoffs.charts.tree import LANES, ROW, NodeKind, Stop, tree


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
    drawn = tree([root, main, branch])
    assert [each.stop for each in drawn.placed] == [root, branch, main]
    across, straight = drawn.placed[1], drawn.placed[2]
    assert straight.x == drawn.placed[0].x < across.x
    assert drawn.height == 3 * ROW
    assert len(drawn.lines) == 2


def test_fifty_hops_stand_in_one_line():
    drawn = tree(course(101))
    assert len({each.x for each in drawn.placed}) == 1
    assert [each.y for each in drawn.placed] == [ROW // 2 + number * ROW for number in range(101)]
    assert all("Q" not in line for line in drawn.lines)


def test_what_follows_from_something_deleted_begins_a_tree_of_its_own():
    lost = stop(None)
    drawn = tree([stop(lost), *course(2)])
    assert len(drawn.placed) == 3
    assert len(drawn.lines) == 1


def test_a_thousand_branches_of_branches_stay_on_the_page():
    stops = [stop(None)]
    for _ in range(1000):
        stops += [stop(stops[-1], main=False), stop(stops[-1])]
    assert {each.x for each in tree(stops).placed} <= {tree(stops[:1]).placed[0].x + lane * 20 for lane in range(LANES + 1)}


@given(st.lists(st.tuples(st.integers(0, 40), st.booleans()), max_size=40))
def test_every_stop_has_a_row_below_its_parents(shape):
    stops = [stop(None)]
    for at, main in shape:
        stops.append(stop(stops[at % len(stops)], main=main))
    placed = {each.stop.id: each for each in tree(stops).placed}
    assert sorted(each.y for each in placed.values()) == [ROW // 2 + number * ROW for number in range(len(stops))]
    for each in placed.values():
        if each.stop.parent:
            assert placed[each.stop.parent].y < each.y
            assert placed[each.stop.parent].x <= each.x
