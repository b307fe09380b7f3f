"""For which share of a month it was ready, and percentiles from buckets (SC-001, FR-039, FR-047)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnostics.measuring.percentiles import percentile
from diagnostics.measuring.uptime import UptimeMonth, looked
from diagnostics.models import Uptime
from diagnostics.services.figures import uptimes
from tests.metrics.reading import value

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def after(looks: list[tuple[float, bool]], start: datetime = NOON) -> UptimeMonth:
    found = None
    for seconds, ready in looks:
        found = looked(found, now=start + seconds * SECOND, ready=ready)
    assert found is not None
    return found


def test_it_works() -> None:
    assert after([(10 * each, True) for each in range(61)]).share() == 1.0


@pytest.mark.parametrize(
    ("looks", "share"),
    [
        ([(0, True)], 1.0),
        ([(0, False)], 0.0),
        ([(0, True), (10, False), (20, True), (30, True), (40, True)], 0.5),  # up only between looks that both say so
        ([(0, True), (10, True), (110, True), (120, True)], 1 / 6),  # nobody could look for 100 seconds
        ([(0, True), (10, True), (5, True), (15, True)], 1.0),  # a clock that was set back counts nothing twice
    ],
    ids=["first look", "not ready", "an outage", "a gap", "set back"],
)
def test_what_counts_as_up(looks: list[tuple[float, bool]], share: float) -> None:
    assert after(looks).share() == pytest.approx(share)


def test_a_month_counts_from_its_beginning_once_there_was_one_before() -> None:
    end = datetime(2026, 11, 30, 23, 59, 55, tzinfo=UTC)
    next_month = after([(0, True), (10, True), (20, True)], start=end)
    assert (next_month.month, next_month.since, next_month.ready_seconds) == (date(2026, 12, 1), datetime(2026, 12, 1, tzinfo=UTC), 15.0)


@given(st.lists(st.tuples(st.floats(0.1, 100), st.booleans()), min_size=1, max_size=40))
def test_a_share_is_one(steps: list[tuple[float, bool]]) -> None:
    at, looks = 0.0, []
    for pause, ready in steps:
        at += pause
        looks.append((at, ready))
    assert 0.0 <= after(looks).share() <= 1.0


@pytest.fixture
def server() -> Iterator[list[int]]:
    """What it is to answer; its address is the setting of the test."""
    answers = [200]

    class Ready(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(answers[0])
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            """The test's own output stays clean."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Ready)
    thread = threading.Thread(target=listening.serve_forever)
    thread.start()
    answers.append(listening.server_port)
    yield answers
    listening.shutdown()
    thread.join()
    listening.server_close()


@pytest.mark.django_db
def test_fr039_the_share_of_each_month_is_kept_and_told(server: list[int], settings: Any) -> None:
    settings.CONTINUITY_READY_URL = f"http://127.0.0.1:{server[1]}/ready"
    assert uptimes.ask()
    server[0] = 503
    assert not uptimes.ask()
    settings.CONTINUITY_READY_URL = "http://127.0.0.1:1/ready"
    assert not uptimes.ask()
    for seconds, ready in ((0, True), (10, True), (20, True), (30, False), (40, False)):
        uptimes.note(ready=ready, now=NOON + seconds * SECOND)
    assert Uptime.objects.get().ready_seconds == 20
    assert dict(uptimes.shares(now=NOON + 41 * SECOND)) == {date(2026, 11, 1): 0.5}
    assert dict(uptimes.shares(now=NOON + 200 * SECOND)) == {date(2026, 11, 1): 0.1}, "what nobody looked at was not up"
    assert value("uptime_share", month="2026-11") is not None


BOUNDS = (10.0, 100.0)


@pytest.mark.parametrize(
    ("buckets", "share", "expected"),
    [
        ([0, 0, 0], 0.5, None),
        ([10, 0, 0], 0.5, 5.0),
        ([10, 10, 0], 0.95, 91.0),
        ([0, 10, 0], 0.1, 19.0),
        ([0, 0, 5], 0.5, 100.0),
        ([1, 0, 0], 0.99, 10.0),
    ],
)
def test_fr047_a_percentile_lies_within_its_bucket(buckets: list[int], share: float, expected: float | None) -> None:
    assert percentile(buckets, BOUNDS, share) == expected


@given(st.lists(st.integers(0, 50), min_size=3, max_size=3), st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_percentiles_grow_with_their_share(buckets: list[int], one: float, other: float) -> None:
    less, more = (percentile(buckets, BOUNDS, share) for share in sorted((one, other)))
    assert less is None or more is None or 0 <= less <= more <= BOUNDS[-1]
