"""Alerts about anything: once while open, told everywhere, seen, and over."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.utils import timezone

from continuity.core.errors import NotFound
from continuity.models import Subscription, Team, User
from continuity.services.subscriptions import subscriptions
from diagnostics.alerting import channels
from diagnostics.alerting.rules import RULES, AlertRule
from diagnostics.models import Alert
from diagnostics.services import alert_raising, schedules, shown_alerts
from tests.alerts import incidents

PROJECT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.django_db(transaction=True)


def test_it_works(team: Team, owner: User) -> None:
    subject, now = uuid4(), timezone.now()
    assert alert_raising.raise_once(AlertRule.REPLAY_GAP, subject=subject, team=team, message="up to 5", now=now)
    assert not alert_raising.raise_once(AlertRule.REPLAY_GAP, subject=subject, team=team, message="up to 7", now=now)
    row = Alert.objects.get()
    alert_raising.saw(team=team, alert_id=row.id, user=owner)
    alert_raising.saw(team=team, alert_id=row.id, user=owner)
    assert [(shown.seen_by, shown.seen) for shown in shown_alerts.of_team(team, owner)[0]] == [([owner], True)]
    assert alert_raising.resolve(AlertRule.REPLAY_GAP, subject=subject, now=now) == 1
    assert alert_raising.resolve(AlertRule.REPLAY_GAP, subject=subject, now=now) == 0
    assert alert_raising.raise_once(AlertRule.REPLAY_GAP, subject=subject, team=team, message="up to 9", now=now)


def test_another_team_sees_none(team: Team, other_team: Team, outsider: User) -> None:
    alert_raising.raise_once(AlertRule.REPLAY_GAP, subject=uuid4(), team=team, message="x", now=timezone.now())
    assert shown_alerts.of_team(other_team, outsider) == ([], [])
    with pytest.raises(NotFound):
        alert_raising.saw(team=other_team, alert_id=Alert.objects.get().id, user=outsider)


def test_every_rule_has_its_words() -> None:
    assert set(RULES) == set(AlertRule)
    told = (PROJECT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert [rule.value for rule in AlertRule if f"`{rule}`" not in told] == [AlertRule.TEST]


def test_every_channel_that_is_set_hears_of_it_and_pagerduty_of_its_end(team: Team, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, dict[str, Any]]] = []

    def post(address: str, body: dict[str, Any]) -> channels.ChannelAnswer:
        sent.append((address, body))
        return channels.ChannelAnswer.TOOK

    monkeypatch.setattr(channels, "post", post)
    settings.ALERT_WEBHOOK, settings.ALERT_SLACK_WEBHOOK, settings.ALERT_PAGERDUTY_KEY = "http://hook", "http://slack", "key"
    settings.ALERT_EMAIL_TO = ["ops@example.com"]
    alert_raising.test(team=team, by="owner", now=timezone.now())
    incidents.until_told()
    pagerduty = "https://events.pagerduty.com/v2/enqueue"
    assert sorted(address for address, _ in sent) == ["http://hook", "http://slack", pagerduty, pagerduty]
    begun, ended = [body for address, body in sent if address == pagerduty]
    assert (begun["event_action"], ended["event_action"]) == ("trigger", "resolve")
    assert begun["dedup_key"] == ended["dedup_key"]
    assert "test of the alerts" in mail.outbox[0].subject


@pytest.mark.parametrize("rounds", [1, 3])
def test_three_rules_open_one_incident_for_each_subject(team: Team, settings: Any, rounds: int) -> None:
    rules = (AlertRule.REPLAY_GAP, AlertRule.RECEIVER_FAILS, AlertRule.REPLAY_DEGRADED)
    subjects = [uuid4() for _ in range(4)]
    with incidents.pretended() as there:
        settings.ALERT_PAGERDUTY_KEY, settings.ALERT_PAGERDUTY_URL = "key", there.url
        for number in range(rounds):
            for rule in rules:
                for subject in subjects:
                    alert_raising.raise_once(rule, subject=subject, team=team, message=f"{number} times", now=timezone.now())
            incidents.until_told()
        assert len(there.incidents) == len(there.open) == there.told == 12
        # Two processes that find the same at once, and a network that told it and did not say so.
        Alert.objects.filter(id__in=Alert.objects.open()[:5]).update(untold=["pagerduty"])
        incidents.until_told()
        assert (there.told, len(there.incidents)) == (17, 12)
        for subject in subjects[:2]:
            alert_raising.resolve(AlertRule.REPLAY_GAP, subject=subject, now=timezone.now())
        incidents.until_told()
        assert there.told == 19
        assert len(there.open) == 10
        alert_raising.raise_once(AlertRule.REPLAY_GAP, subject=subjects[0], team=team, message="again", now=timezone.now())
        incidents.until_told()
        assert (len(there.incidents), len(there.open)) == (13, 11)


def test_what_was_missed_is_over_when_the_subscriber_returns(team: Team) -> None:
    found, _ = subscriptions.subscribe(team=team, name="billing", pattern="task:*")
    about = Alert.objects.filter(subject_id=found.id)
    for number in (1, 2):
        Subscription.objects.filter(id=found.id).update(gap_through=5, degraded_at=timezone.now())
        assert subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now()).gap == 5
        assert [alert.rule for alert in about.open()] == ["replay_gap"]
        subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
        assert not about.open().exists()
        assert about.count() == number


def test_a_purge_that_fails_for_a_day_is_told_once_until_it_succeeds() -> None:
    now = timezone.now()
    schedules.begun(name="continuity.purge", now=now - timedelta(hours=25))
    for hours in (25, 20, 1):
        schedules.ended(name="continuity.purge", now=now - timedelta(hours=hours), seconds=1, error="OperationalError")
    alert_raising.watch_purge(now=now)
    alert_raising.watch_purge(now=now)
    assert Alert.objects.open().filter(rule=AlertRule.PURGE_FAILS, severity="critical").count() == 1
    schedules.ended(name="continuity.purge", now=now, seconds=1)
    alert_raising.watch_purge(now=now)
    assert not Alert.objects.open().exists()
