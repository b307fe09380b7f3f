"""How fast a process that keeps dying is started again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from config.supervision.backoff import DELAYS, STEADY_SECONDS, Backoff


def test_it_works() -> None:
    backoff = Backoff()
    assert [backoff.next_delay(0.1) for _ in range(9)] == [*DELAYS, DELAYS[-1], DELAYS[-1]]


def test_steady_life_starts_over() -> None:
    backoff = Backoff()
    for _ in range(5):
        backoff.next_delay(0.1)
    assert backoff.next_delay(STEADY_SECONDS) == DELAYS[0]
    assert backoff.next_delay(0.1) == DELAYS[1]


@given(st.lists(st.floats(min_value=0, max_value=1e6), max_size=50))
def test_delay_is_always_bounded(lives: list[float]) -> None:
    backoff = Backoff()
    assert all(0 <= backoff.next_delay(lived) <= DELAYS[-1] for lived in lives)
