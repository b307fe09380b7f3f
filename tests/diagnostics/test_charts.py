"""Charts: everything lies in the picture, gaps stay gaps, targets and values are on one scale."""

import itertools
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from diagnostics import bar_charts, charts
from diagnostics.charts import BOTTOM, HEIGHT, LEFT, MILLISECONDS, RIGHT, TOP, WIDTH, ChartSeries

VALUES = st.one_of(st.none(), st.floats(0, 1e7, allow_nan=False))


def drawn(*values, scale=MILLISECONDS, **more):
    return charts.lines([ChartSeries("p95", values)], [str(at) for at in range(len(values))], scale, **more)


def test_it_works():
    chart = drawn(10.0, None, 100.0, 1000.0, target=(1000.0, "1 s"))
    (line,) = chart.lines
    assert line.path.count("M") == 2 and line.path.count("L") == 1
    assert len(line.dots) == 1
    assert chart.target is not None
    assert line.path.endswith(f" {chart.target.y}")
    assert chart.table[1] == ("1", [None])


def test_ten_times_as_long_is_one_step_higher_on_the_scale_of_times():
    heights = [MILLISECONDS.y(value) for value in (1, 10, 100, 1000, 10_000)]
    steps = {round(before - after, 0) for before, after in itertools.pairwise(heights)}
    assert len(steps) == 1
    assert heights[0] == HEIGHT - BOTTOM and heights[-1] == TOP


@given(st.lists(VALUES, min_size=1, max_size=60))
def test_every_point_lies_in_the_picture(values):
    for scale in (MILLISECONDS, charts.shares(values), charts.amounts(values)):
        for line in drawn(*values, scale=scale).lines:
            for x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", line.path):
                assert LEFT <= float(x) <= WIDTH - RIGHT
                assert TOP <= float(y) <= HEIGHT - BOTTOM


@given(st.lists(st.floats(0, 1e12, allow_nan=False), min_size=1, max_size=40))
@example([5e-324])
def test_bars_stand_on_the_ground_and_do_not_touch(values):
    chart = bar_charts.bars([(str(at), value, "info") for at, value in enumerate(values)])
    for bar in chart.bars:
        assert bar.y + bar.height == pytest.approx(HEIGHT - BOTTOM, abs=0.11)
        assert bar.y >= TOP
    for before, after in zip(chart.bars, chart.bars[1:], strict=False):
        assert before.x + before.width < after.x
    assert chart.empty is not any(values)


def test_nothing_is_counted_in_halves():
    assert [label for _, label in charts.amounts([1, None, 1]).ticks] == ["0", "1"]
    assert [label for _, label in charts.amounts([3]).ticks] == ["0", "5"]
    assert [label for _, label in charts.amounts([2, 14_000]).ticks] == ["0", "10 k", "20 k"]


def test_bars_of_a_level_are_drawn_as_one():
    chart = bar_charts.bars([("a", 1.0, "bad"), ("b", 2.0, "info"), ("c", 3.0, "bad")])
    assert [level for level, _area in chart.areas] == ["bad", "info"]
    assert [area.count("z") for _level, area in chart.areas] == [2, 1]
    assert all(any(f"M{bar.x} {bar.y}h" in area for _level, area in chart.areas) for bar in chart.bars)


def test_a_small_loss_is_seen_and_a_large_one_not_hidden():
    assert charts.shares([0.99, None]).low == 0.9
    assert charts.shares([0.5]).low == 0.0
    assert charts.shares([]).low == 0.9


@pytest.mark.parametrize(("number", "written"), [(0, "0"), (250, "250"), (2500, "2.5 k"), (1_250_000, "1.25 M"), (3e9, "3 G")])
def test_large_numbers_are_written_short(number, written):
    assert charts.short(number) == written


def test_there_are_no_more_labels_than_fit():
    assert len(drawn(*[1.0] * 31).times) <= charts.LABELS


def test_nothing_measured_is_said_to_be_empty():
    assert drawn(None, None).empty
    assert not drawn(None, 1.0).empty
