"""How a window filled, in a bounded number of points, whatever the order in which it was read."""

from continuity.usage.curve import POINTS, UsageCurve, extend
from tests.words import answered, compacted, said


def talk(count, start=1):
    return [(seq, said("Go on") if seq % 2 else answered("Done"), 10) for seq in range(start, start + count)]


def test_it_works():
    curve = extend(UsageCurve(), talk(4)).curve
    assert [(point.seq, point.turn, point.tokens) for point in curve.points] == [(1, 1, 10), (2, 1, 20), (3, 2, 30), (4, 2, 40)]


def test_a_long_conversation_takes_no_more_points():
    curve = extend(UsageCurve(), talk(20_000)).curve
    assert POINTS // 2 <= len(curve.points) <= POINTS
    gaps = {later.seq - earlier.seq for earlier, later in zip(curve.points, curve.points[1:], strict=False)}
    assert gaps == {curve.stride}


def test_reading_in_steps_gives_the_same_curve_and_reading_again_adds_nothing():
    messages = talk(900)
    whole = extend(UsageCurve(), messages).curve
    stepped = UsageCurve()
    for start in range(0, 900, 70):
        stepped = UsageCurve.from_json(extend(stepped, messages[max(0, start - 30) : start + 70]).curve.as_json())
    assert stepped == whole


def test_both_sides_of_a_compaction_are_kept():
    curve = extend(UsageCurve(), talk(1000)).curve
    after = extend(curve, [*talk(1, 1001), (1002, compacted("Before"), 50)]).curve
    assert [(point.seq, point.tokens) for point in after.points[-2:]] == [(1001, 10_010), (1002, 50)]


def test_an_empty_record_is_a_curve_that_has_not_begun():
    assert UsageCurve.from_json({}) == UsageCurve()
