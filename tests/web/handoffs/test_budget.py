"""What a directive's tokens went to: by the headings that its page shows, and all of them."""

import pytest

from handoffs.views.reports import HEADINGS, budget_slices


def test_it_works():
    slices = budget_slices({"recent": 680, "goal": 48, "files": 0, "unheard-of": 2}, 800)
    assert [(each.name, each.tokens) for each in slices] == [
        ("What led to it", 48),
        ("History, oldest first", 680),
        ("unheard-of", 2),
        (HEADINGS, 70),
    ]
    assert sum(each.share for each in slices) == pytest.approx(1)
    assert budget_slices({}, 0) == []
