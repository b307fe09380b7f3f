"""The measurement of shared states: its rows, on few versions."""

import pytest

from diagnostics.bench import states


@pytest.mark.django_db
def test_it_works(team):
    rows = list(states.measured(team, 3, most=2000))
    assert [row.name for row in rows if "changes" in row.name] == [
        f"changes since a position at {number} versions" for number in ("1,000", "2,000")
    ]
    assert len(rows) == 6
