"""The gauge of a context window: its labels can be read, however near each other the thresholds are."""

from dataclasses import replace
from itertools import pairwise

import pytest

from handoffs.charts.gauge import gauge
from handoffs.policy import Policy

WIDTH, HEIGHT = 20.0, 11.0  # of "100", in the gauge's units


@pytest.mark.parametrize(
    "shares", [(0.5, 0.55, 0.6), (0.5, 0.51, 0.52), (0.01, 0.02, 0.03), (0.98, 0.99, 1.0), (0.75, 0.8, 0.85), (0.2, 0.89, 0.9)]
)
def test_it_works(shares):
    long_task, fold, handoff = shares
    policy = replace(Policy(), long_task_at=long_task, fold_at=fold, boundary_at=fold, handoff_at=handoff)
    marks = gauge(0.4, policy).marks
    assert [mark.label for mark in marks] == [f"{share:.0%}".rstrip("%") for share in shares]
    for one, other in pairwise(marks):
        assert abs(one.x - other.x) >= WIDTH * 0.65 or abs(one.y - other.y) >= HEIGHT, (one, other)
    for mark in marks:
        assert -4 <= mark.x <= 204 and -3 <= mark.y <= 112


def test_a_label_stands_at_its_tick_where_there_is_room():
    policy = replace(Policy(), long_task_at=0.3, fold_at=0.5, boundary_at=0.5, handoff_at=0.9)
    middle = gauge(0.4, policy).marks[1]
    assert middle.x == middle.x1 == middle.x2 == 100.0
