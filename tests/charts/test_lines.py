"""The lines of charts stay in their boxes, whatever the figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.charts.curve import LETTERS, curve
from continuity.charts.sparkline import HEIGHT, sparkline

THRESHOLDS = {"70": 0.7, "85": 0.85}


def coordinates(path):
    words = path.replace("M", "").replace("L", "").replace("Z", "").split()
    return list(zip(map(float, words[::2]), map(float, words[1::2]), strict=True))


def test_it_works():
    assert sparkline([0, 1, None, 2]) == "M0.0 25.0 L33.3 14.0 M100.0 3.0 L100.0 3.0"
    found = curve([(1, 0), (11, 53)], window=100, thresholds=THRESHOLDS, full_at=16)
    assert found is not None
    assert found.line == "M0.0 100.0 L66.67 50.0"
    assert found.ahead == "M66.67 50.0 L100.0 5.66"
    assert [(mark.label, mark.aside) for mark in found.thresholds] == [("85", False), ("70", False)]


@pytest.mark.parametrize(("shares", "aside"), [((0.3, 0.9), 0), ((0.7, 0.75), 1), ((0.75, 0.75), 1)])
def test_no_two_labels_lie_over_one_another(shares, aside):
    found = curve([(1, 0), (11, 53)], window=100, thresholds={f"{place}": share for place, share in enumerate(shares)})
    assert found is not None
    assert sum(mark.aside for mark in found.thresholds) == aside
    upper, lower = found.thresholds
    assert lower.at - upper.at >= LETTERS or upper.aside is not lower.aside


@given(st.lists(st.none() | st.floats(-1e6, 1e9), max_size=30))
def test_a_sparkline_stays_in_its_box(values):
    assert all(0 <= x <= 100 and 0 <= y <= HEIGHT for x, y in coordinates(sparkline(values)))


@given(
    st.lists(st.integers(0, 3_000_000), min_size=2, max_size=40),
    st.integers(1, 2_000_000),
    st.none() | st.floats(1, 1e7),
)
def test_a_curve_stays_in_its_box(tokens, window, full_at):
    points = [(3 + 2 * place, each) for place, each in enumerate(tokens)]
    found = curve(points, window=window, thresholds=THRESHOLDS, full_at=full_at)
    assert found is not None
    assert all(0 <= x <= 100 and 0 <= y <= 100 for x, y in coordinates(found.line) + coordinates(found.ahead))
    assert all(0 <= tick.at <= 100 for tick in found.ticks)


def test_one_point_is_no_line_yet():
    assert curve([(1, 5)], window=10, thresholds={}) is None
    assert sparkline([1]) == sparkline([None, None]) == ""
