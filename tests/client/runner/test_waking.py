"""Sleeps and stops are told from clocks that were set."""

import pytest

from continuity.client.runner.wakefulness import Wakefulness


def test_it_works():
    awake = Wakefulness(1000.0, 50.0)
    assert awake.look(1000.25, 50.25) == 0


@pytest.mark.parametrize(
    ("wall", "monotonic", "unseen"),
    [
        (0.25, 0.25, 0),
        (1.9, 1.9, 0),
        (600.25, 0.25, 600),  # The machine slept: its monotonic clock stood still.
        (600.0, 600.0, 600),  # The process was stopped, or the clock counts sleep.
        (-3600.0, 0.25, 0),  # Set back.
        (3600.25, 0.25, 3600),  # Set forward: a round of grace, which harms nobody.
        (-3600.0, 30.0, 30),  # Stopped, and set back meanwhile.
    ],
)
def test_what_passed_unseen(wall, monotonic, unseen):
    awake = Wakefulness(1000.0, 50.0)
    assert awake.look(1000.0 + wall, 50.0 + monotonic) == pytest.approx(unseen)
    assert awake.look(1000.25 + wall, 50.25 + monotonic) == 0
