"""The alert about resumptions that fail: at which share, of how many, once, and over when it is over."""

import logging
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from continuity.models import Event
from diagnostics.alerting.resumptions import fail_too_often
from diagnostics.models import Alert, Attempt, AttemptKind
from diagnostics.services import alerts
from tests.api.caller import Caller


def attempts(team, succeeded, failed, at=None):
    at = at or timezone.now()
    outcomes = [True] * succeeded + [False] * failed
    about = {"team": team, "kind": AttemptKind.RESUMPTION, "at": at, "duration_ms": 5.0}
    Attempt.objects.bulk_create(Attempt(id=uuid4(), succeeded=outcome, **about) for outcome in outcomes)


def watch():
    alerts.watch_resumptions(now=timezone.now())


def test_it_works(team, other_team, caplog, django_capture_on_commit_callbacks):
    attempts(team, 148, 2)
    attempts(other_team, 200, 2)
    with caplog.at_level(logging.ERROR, "continuity.alerts"), django_capture_on_commit_callbacks(execute=True):
        watch()
        watch()
    (alert,) = Alert.objects.all()
    assert (alert.team, alert.rule, alert.conversation_id) == (team, "resumptions_fail", None)
    assert alert.message == "2 of 150 resumptions in 24 hours failed; more than 99% are to succeed"
    assert sum("can't be gone on from" in record.message for record in caplog.records) == 1
    assert Event.objects.filter(name="alert.raised", team=team).count() == 1
    (told,) = Caller.of(team).get("/alerts", open="true").json()["items"]
    assert (told["rule"], told["conversation_id"]) == ("resumptions_fail", None)


@pytest.mark.parametrize(
    ("attempted", "succeeded", "too_often"),
    [(0, 0, False), (1, 0, False), (9, 5, False), (10, 9, False), (10, 8, True), (99, 98, False), (200, 198, False), (199, 197, True)],
)
def test_a_stray_failure_is_no_alert(attempted, succeeded, too_often):
    assert fail_too_often(attempted, succeeded) is too_often


def test_it_is_over_when_enough_succeed_and_may_come_again(team):
    attempts(team, 8, 2)
    watch()
    assert Alert.objects.open().count() == 1
    attempts(team, 300, 0)
    watch()
    assert Alert.objects.open().count() == 0
    attempts(team, 0, 20)
    watch()
    assert (Alert.objects.open().count(), Alert.objects.count()) == (1, 2)


def test_what_failed_before_the_last_day_and_handoffs_that_failed_do_not_count(team):
    attempts(team, 0, 50, at=timezone.now() - timedelta(hours=25))
    Attempt.objects.bulk_create(
        Attempt(id=uuid4(), team=team, kind=AttemptKind.HANDOFF, at=timezone.now(), succeeded=False, duration_ms=1.0) for _ in range(50)
    )
    watch()
    assert not Alert.objects.exists()
