"""The page of diagnostics: what was measured in the time asked for, for one's own team, in a fixed number of queries."""

import threading
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from continuity.models import Job, Team, Tier
from continuity.services.monitor import leading
from diagnostics.models import Attempt, ScheduledRun
from diagnostics.services import schedules, status, trends
from handoffs.services.chains import resumption
from handoffs.services.packages import preparation
from tests.factories import ConversationFactory
from tests.handoffs.story import story
from tests.web import rows
from tests.web.world import browser

NOW = datetime(2026, 3, 17, 12, 34, tzinfo=UTC)


def attempt(team, at, ms, *, kind="handoff", succeeded=True, **fields):
    return Attempt.objects.create(id=uuid4(), team=team, kind=kind, at=at, duration_ms=ms, succeeded=succeeded, **fields)


def test_it_works(team, owner):
    handoff = preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of(budget=4000))
    resumption.resume(team=team, handoff_id=handoff.id)
    page = browser(owner).get("/diagnostics?days=1")
    assert page.status_code == 200
    text = page.content.decode()
    assert page.context["snapshot"].total_handoffs == page.context["snapshot"].total_resumptions == 1
    assert "2 s at p95" in text and "500 ms at p95" in text
    assert f"/handoffs/{handoff.id}" in text  # among the slowest


def test_percentiles_are_those_of_their_step_of_time(team):
    for number in range(100):
        attempt(team, NOW - timedelta(hours=1), float(number + 1))
    attempt(team, NOW, 7.0, succeeded=False)
    course = trends.trend_of(team=team, now=NOW, days=1)
    assert len(course.times) == 24
    last, before = course.handoffs[-1], course.handoffs[-2]
    assert last is not None and before is not None
    assert (before["p50"], before["p95"], before["p99"]) == (50, 95, 99)
    assert (last["total"], last["succeeded"], last["p99"]) == (1, 0, 7)
    assert course.handoffs[:-2] == [None] * 22


@pytest.mark.parametrize("days", trends.STEPS)
def test_a_longer_time_has_no_more_points(days, team):
    course = trends.trend_of(team=team, now=NOW, days=days)
    assert len(course.times) <= 31
    assert course.times[0] <= NOW - timedelta(days=days) + 2 * course.step
    assert course.times[-1] <= NOW < course.times[-1] + course.step


def test_scores_and_lengths_are_counted_in_their_groups(team, owner):
    for score in (0.5, 0.86, 1.0, 1.0):
        made = rows.handoff(ConversationFactory.create(team=team, owner=owner), fidelity_score=score)
        made.chain.total_handoffs = int(score * 10)
        made.chain.save()
    since = timezone.now() - timedelta(days=1)
    assert dict(trends.trend_of(team=team, now=timezone.now(), days=1).fidelity) == {
        "below 70%": 1, "70%": 0, "85%": 1, "90%": 0, "95%": 0, "99%": 0, "100%": 2
    }  # fmt: skip
    assert [count for _label, count in trends.lengths_of(team=team, since=since)] == [0, 0, 1, 1, 2, 0, 0]
    assert [handoff.fidelity_score for handoff in status.lowest(team=team, since=since)] == [0.5, 0.86]


def test_what_another_team_does_is_not_shown(team, owner, other_team):
    attempt(other_team, timezone.now(), 9876.0)
    rows.handoff(ConversationFactory.create(team=other_team, title="Of the others"), fidelity_score=0.2)
    Job.objects.create(team=other_team, kind="import", status="failed", error="Theirs failed")
    text = browser(owner).get("/diagnostics").content.decode()
    for theirs in ("9.88 s", "Of the others", "Theirs failed"):
        assert theirs not in text


def test_where_nothing_was_handed_over_it_says_what_to_do_instead_of_empty_pictures(team, owner):
    page = browser(owner).get("/diagnostics").content.decode()
    assert "Nothing was handed over in this time" in page
    assert "Nothing was measured" not in page
    assert "Work in the background" in page


def test_it_takes_the_tier_that_opens_metrics(team, owner):
    Team.objects.filter(id=team.id).update(tier=Tier.WRITER_PRO)
    answer = browser(owner).get("/diagnostics")
    assert answer.status_code == 403
    assert b"Agents.Continuity.Metrics" in answer.content and b"Teams" in answer.content


@pytest.mark.parametrize("days", ["0", "x", "31", "1000000", "٣"])
def test_a_time_that_is_not_offered_is_the_usual_one(days, team, owner):
    assert browser(owner).get(f"/diagnostics?days={days}").context["days"] == 30


@pytest.mark.parametrize(("ages", "days"), [([0.1], 1), ([3, 0], 7), ([12.5], 14), ([29, 1], 30), ([200], 30), ([], 30)])
def test_the_time_that_is_shown_first_is_as_long_as_there_is_something(ages, days, team):
    for age in ages:
        attempt(team, NOW - timedelta(days=age), 5.0)
    assert trends.fitting(team=team, now=NOW, offered=[1, 7, 14, 30], usual=30) == days


def test_what_handoffs_bring_stands_apart_from_how_the_installation_runs(team, owner):
    attempt(team, timezone.now(), 5.0)
    product, operations = browser(owner).get("/diagnostics").content.decode().split('id="operations"')
    for name in ("success", "fidelity", "lengths", "lowest", "ratings"):
        assert f'id="{name}-title"' in product
    for name in ("preparing", "resuming", "slowest", "work", "stored"):
        assert f'id="{name}-title"' in operations


def test_each_picture_tells_its_values_in_one_stop_of_the_keyboard(team, owner):
    attempt(team, timezone.now(), 5.0)
    page = browser(owner).get("/diagnostics?days=1").content.decode()
    preparing = page.split('aria-label="Preparing a handoff: values', 1)[1].split("</div>")[0]
    assert preparing.count('type="radio" name="at-preparing"') == 24
    assert preparing.count(" checked") == 1
    assert ": p50 5.0 ms, p95 5.0 ms, p99 5.0 ms</span>" in preparing.rpartition(" checked")[2]
    assert page.count('role="radiogroup"') == page.count('<svg viewBox="0 0 440 190"')


def test_much_takes_no_more_queries_than_little(team, owner):
    client = browser(owner)

    def count(more):
        for _ in range(more):
            made = rows.handoff(ConversationFactory.create(team=team, owner=owner), fidelity_score=0.9)
            attempt(team, timezone.now(), 5.0, subject=made.id)
            Job.objects.create(team=team, kind="import", status="failed", conversation=made.conversation)
        with CaptureQueriesContext(connection) as queries:
            client.get("/diagnostics")
        return len(queries)

    client.get("/diagnostics")  # the first one makes the reader of events
    assert count(2) == count(30) <= 45


def test_a_worker_that_looks_for_work_is_seen(team):
    now = timezone.now()
    assert status.work_of(team=team, now=now, since=now).swept_at is None
    for _ in range(2):
        schedules.begun(name=status.SWEEP, now=now)
        schedules.ended(name=status.SWEEP, now=now, seconds=0.5)
    schedules.ended(name=status.SWEEP, now=now, seconds=0.5, error="OSError")
    assert status.work_of(team=team, now=now, since=now).answers
    assert not status.work_of(team=team, now=now + timedelta(minutes=1), since=now).answers
    run = ScheduledRun.objects.get()
    assert (run.runs, run.failures, run.error) == (3, 1, "OSError")


@pytest.mark.django_db(transaction=True)
def test_that_no_monitor_runs_is_told(team, owner):
    """Nobody tells the channels of alerts, so that no alert can say it."""
    client = browser(owner)
    assert "no monitor" in client.get("/diagnostics").content.decode()
    leads, over = threading.Event(), threading.Event()

    def monitor():
        assert leading.try_to_lead()
        leads.set()
        over.wait(60)
        connection.close()

    thread = threading.Thread(target=monitor)
    thread.start()
    try:
        assert leads.wait(20)
        assert "no monitor" not in client.get("/diagnostics").content.decode()
    finally:
        over.set()
        thread.join()
