"""Telling the channels of alerts and that they are over: in order, once, and without holding up the monitor or one another."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core import mail
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from continuity.models import Team
from continuity.services.monitor import leading
from diagnostics.alerting import channels
from diagnostics.alerting.channels import AlertChannel, ChannelAnswer
from diagnostics.alerting.refusals import Refusals
from diagnostics.alerting.rules import AlertRule
from diagnostics.models import Alert
from diagnostics.services import alert_delivery, alert_raising
from diagnostics.watches import PendingAlerts
from tests.alerts import incidents

pytestmark = pytest.mark.django_db(transaction=True)
RULE = AlertRule.RECEIVER_FAILS


def begin(team: Team, subject: UUID, message: str = "x") -> None:
    alert_raising.raise_once(RULE, subject=subject, team=team, message=message, now=timezone.now(), part=message)


def end(subject: UUID) -> None:
    alert_raising.resolve(RULE, subject=subject, now=timezone.now())


@pytest.fixture
def there(settings: Any) -> Iterator[incidents.PretendedPagerDuty]:
    with incidents.pretended() as made:
        settings.ALERT_PAGERDUTY_KEY, settings.ALERT_PAGERDUTY_URL = "key", made.url
        yield made


def test_it_works(team: Team, there: incidents.PretendedPagerDuty) -> None:
    subject = uuid4()
    begin(team, subject)
    incidents.until_told()
    assert list(there.open)
    end(subject)
    incidents.until_told()
    assert not there.open
    incidents.until_told()
    assert there.told == 2


def test_what_was_over_before_it_was_told_is_told_in_order(team: Team, there: incidents.PretendedPagerDuty) -> None:
    subject = uuid4()
    begin(team, subject)
    end(subject)
    incidents.until_told()
    assert (len(there.incidents), there.told, list(there.open)) == (1, 2, [])


def test_the_end_of_an_alert_that_was_raised_anew_closes_nothing(team: Team, there: incidents.PretendedPagerDuty) -> None:
    subject = uuid4()
    begin(team, subject)
    incidents.until_told()
    end(subject)
    begin(team, subject)
    incidents.until_told()
    assert len(there.open) == len(there.incidents) == 1
    assert there.told == 2
    end(subject)
    incidents.until_told()
    assert not there.open


def test_one_incident_with_two_parts_is_over_with_the_last(team: Team, there: incidents.PretendedPagerDuty) -> None:
    subject = uuid4()
    begin(team, subject, "fold")
    begin(team, subject, "distil")
    incidents.until_told()
    assert len(there.incidents) == 1
    Alert.objects.filter(message="fold").update(over_at=timezone.now())
    incidents.until_told()
    assert len(there.open) == 1
    end(subject)
    incidents.until_told()
    assert not there.open


def test_a_channel_that_hangs_holds_up_neither_the_monitor_nor_its_lead(team: Team, settings: Any) -> None:
    with incidents.hanging() as (url, asked, _):
        settings.ALERT_PAGERDUTY_KEY, settings.ALERT_PAGERDUTY_URL = "key", url
        for _ in range(3):
            begin(team, uuid4())
        assert leading.try_to_lead()
        watch, begun = PendingAlerts(), time.monotonic()
        for _ in range(5):
            due = watch(timezone.now())
        assert time.monotonic() - begun < 1
        assert due is not None
        assert due - timezone.now() <= timedelta(seconds=5)
        assert leading.leads()
        assert asked.wait(30)
        assert Alert.objects.exclude(untold=[]).count() == 3
    connection.close()


def test_of_many_alerts_only_one_is_tried_while_the_channel_is_away(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def away(*alert: Any) -> ChannelAnswer:
        tried.append("begun" if len(alert) == 1 else "over")
        return ChannelAnswer.AWAY

    monkeypatch.setitem(channels.CHANNELS, "pagerduty", AlertChannel(lambda: True, away, away))
    for _ in range(3):
        begin(team, uuid4())
    assert alert_delivery.deliver("pagerduty", Refusals()) is False
    assert tried == ["begun"]
    Alert.objects.update(untold=[], over_at=timezone.now())
    assert alert_delivery.deliver("pagerduty", Refusals()) is False
    assert tried == ["begun", "over"]


def test_one_that_can_not_be_said_holds_up_no_other(team: Team, settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    settings.ALERT_EMAIL_TO = ["ops@example.com"]
    for message in ("a\nb", "good"):  # A subject of two lines is refused by Django.
        begin(team, uuid4(), message)
    incidents.until_told()
    assert [letter.subject for letter in mail.outbox] == ["[error] A receiver of webhooks fails again and again (good)"]
    assert "An alert could not be told; the others go on" in caplog.text


def test_a_channel_is_told_by_one_process_at_a_time(team: Team, there: incidents.PretendedPagerDuty) -> None:
    begin(team, uuid4())
    with alert_delivery._alone("pagerduty") as alone:
        assert alone
        incidents.until_told()
        assert there.told == 0
    incidents.until_told()
    assert there.told == 1


def test_an_address_that_was_taken_away_leaves_nothing_waiting(team: Team, there: incidents.PretendedPagerDuty, settings: Any) -> None:
    subject = uuid4()
    begin(team, subject)
    settings.ALERT_PAGERDUTY_KEY = ""
    incidents.until_told()
    end(subject)
    incidents.until_told()
    assert there.told == 0
    assert alert_delivery.waiting(now=timezone.now()) == []


def test_what_goes_wrong_in_a_thread_is_logged_and_tried_again_later(
    team: Team, there: incidents.PretendedPagerDuty, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def faulty(name: str, refused: Refusals) -> bool:
        raise ValueError(name)

    watch, now = PendingAlerts(), timezone.now()
    begin(team, uuid4())
    with monkeypatch.context() as broken:
        broken.setattr(alert_delivery, "deliver", faulty)
        watch(now)
        incidents.until_sent()
    assert "A channel could not be told" in caplog.text
    watch(now)
    incidents.until_sent()
    assert there.told == 0
    watch(now + timedelta(minutes=1))
    incidents.until_sent()
    assert there.told == 1


def test_a_webhook_that_hangs_keeps_no_other_channel_waiting(team: Team, there: incidents.PretendedPagerDuty, settings: Any) -> None:
    with incidents.hanging() as (url, _, let_go):
        settings.ALERT_WEBHOOK = url
        begin(team, uuid4())
        PendingAlerts()(timezone.now())
        begun = time.monotonic()
        while not there.told and time.monotonic() - begun < 20:
            time.sleep(0.02)
        assert there.told == 1
        assert not let_go.is_set()


def test_what_was_over_before_ends_were_told_is_told_to_nobody(team: Team) -> None:
    def migrated(to: str) -> None:
        MigrationExecutor(connection).migrate([("diagnostics", to)])

    times = dict.fromkeys(("since", "raised_at"), timezone.now())
    for over_at in (timezone.now(), None):
        Alert.objects.create(team=team, subject_id=uuid4(), rule="r", severity="error", message="m", retries=0, over_at=over_at, **times)
    latest = max(name for app, name in MigrationExecutor(connection).loader.graph.leaf_nodes() if app == "diagnostics")
    try:
        migrated("0005_open_alerts")
    finally:
        migrated(latest)
    assert {(alert.over_at is None, alert.over_told) for alert in Alert.objects.all()} == {(False, True), (True, False)}
