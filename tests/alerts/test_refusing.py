"""An alert that a channel refuses concerns that alert alone; a channel that is away is left alone for a while. Both are bounded."""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from continuity.models import Team
from diagnostics.alerting import channels
from diagnostics.alerting.channels import AlertChannel, ChannelAnswer
from diagnostics.alerting.refusals import Refusals
from diagnostics.models import Alert
from diagnostics.services import alert_delivery
from diagnostics.watches import PendingAlerts
from tests.alerts import incidents
from tests.alerts.test_telling import begin, end
from tests.events import receiving

HERE = pytest.mark.django_db(transaction=True)


class Picky:
    """A channel that takes all but what is "bad"; `asked` is what it was told, in order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, answer: ChannelAnswer = ChannelAnswer.REFUSED) -> None:
        self.asked: list[str] = []
        self.over: list[str] = []
        self._answer = answer
        monkeypatch.setitem(channels.CHANNELS, "pagerduty", AlertChannel(lambda: True, self._begun, self._over))

    def _begun(self, alert: Any) -> ChannelAnswer:
        self.asked.append(alert.message)
        return self._answer if alert.message.startswith("bad") else ChannelAnswer.TOOK

    def _over(self, rule: str, subject: str) -> ChannelAnswer:
        self.over.append(subject)
        return ChannelAnswer.TOOK


@HERE
def test_it_works(team: Team, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """SC-028: whatever a channel refused before, the next alert is told at the next look."""
    channel, watch, now = Picky(monkeypatch), PendingAlerts(), timezone.now()
    begin(team, uuid4(), "bad")
    with caplog.at_level(logging.ERROR, "continuity.alerts"):
        for _ in range(6):
            watch(now)
            incidents.until_sent()
    assert channel.asked == ["bad"]
    (told,) = [record for record in caplog.records if record.message.startswith("A channel refuses an alert")]
    bad = Alert.objects.get()
    assert told.metadata == {"id": str(bad.id), "rule": bad.rule, "channel": "pagerduty"}  # type: ignore[attr-defined]
    begin(team, uuid4(), "good")
    watch(now + timedelta(seconds=5))
    incidents.until_sent()
    assert channel.asked == ["bad", "good"]
    bad.refresh_from_db()
    assert bad.untold == ["pagerduty"]


@HERE
def test_a_channel_that_is_away_is_asked_again_after_a_pause(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    channel, watch, now = Picky(monkeypatch, ChannelAnswer.AWAY), PendingAlerts(), timezone.now()
    begin(team, uuid4(), "bad")
    for after in (0, 0, 6, 6, 6):
        watch(now + timedelta(seconds=after))
        incidents.until_sent()
    assert channel.asked == ["bad", "bad"]


@HERE
def test_what_was_refused_comes_after_what_is_new_and_is_given_up_after_a_day(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    channel, refused = Picky(monkeypatch), Refusals()
    for number in range(5):
        begin(team, uuid4(), f"bad {number}")
    assert alert_delivery.deliver("pagerduty", refused) is True
    assert len(channel.asked) == 5
    refused._again = dict.fromkeys(refused._again, timezone.now())
    begin(team, uuid4(), "good")
    assert alert_delivery.deliver("pagerduty", refused) is True
    assert channel.asked[5:] == ["good", "bad 0", "bad 1", "bad 2"]
    Alert.objects.update(raised_at=timezone.now() - timedelta(days=2))
    assert alert_delivery.deliver("pagerduty", Refusals()) is True
    assert not Alert.objects.exclude(untold=[]).exists()


@HERE
def test_many_that_are_refused_hide_nothing(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where they fill all that is looked at once, and for another channel."""
    monkeypatch.setattr(alert_delivery, "LIMIT", 2)
    channel, refused = Picky(monkeypatch), Refusals()
    for number in range(4):
        begin(team, uuid4(), f"bad {number}")
    monkeypatch.setitem(channels.CHANNELS, "mail", AlertChannel(lambda: True, lambda alert: ChannelAnswer.TOOK))
    begin(team, uuid4(), "good")
    assert alert_delivery.waiting(now=timezone.now()) == ["mail", "pagerduty"]
    for _ in range(3):
        alert_delivery.deliver("pagerduty", refused)
    assert "good" in channel.asked


@HERE
def test_it_keeps_no_end_from_being_told(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    channel, subject = Picky(monkeypatch), uuid4()
    begin(team, uuid4(), "bad")
    begin(team, subject, "good")
    end(subject)
    assert alert_delivery.deliver("pagerduty", Refusals()) is True
    assert channel.over == [str(subject)]


def test_one_is_tried_again_less_and_less() -> None:
    refused, id, now = Refusals(), uuid4(), datetime(2026, 5, 1, tzinfo=UTC)
    assert [refused.note(id, now) for _ in range(2)] == [True, False]
    assert not refused.due(now + timedelta(seconds=119))
    assert refused.due(now + timedelta(minutes=2)) == {id}
    for _ in range(20):
        refused.note(id, now)
    assert refused.due(now + timedelta(hours=1)) == {id} == refused.known
    refused.forget(id)
    assert not refused.known


@pytest.mark.parametrize(("status", "expected"), [(204, "TOOK"), (302, "REFUSED"), (404, "REFUSED"), (408, "AWAY"), (429, "AWAY"),
                                                  (500, "AWAY")])  # fmt: skip
def test_what_an_answer_says_of_the_channel(status: int, expected: str) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.end_headers()

    with receiving.receiver(answer) as there:
        assert channels.post(there.url, {}) is ChannelAnswer[expected]
        assert len(there.got) == 1


def headers_for_ever(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    receiving.trickle(handler)


def test_an_answer_is_bounded_in_all_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then is no timeout of any one read."""
    monkeypatch.setattr(channels, "SECONDS", 0.5)
    for answering in (receiving.trickle, headers_for_ever):
        with receiving.receiver(answering) as there:
            begun = time.monotonic()
            assert channels.post(there.url, {}) is ChannelAnswer.AWAY
            assert time.monotonic() - begun < 10


def test_of_an_answer_only_its_beginning_is_read() -> None:
    """Whoever took the alert may send what it likes behind that: nobody waits for it."""
    sent: list[int] = []

    def flood(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(1600):
            sent.append(handler.wfile.write(b"x" * 65_536))

    with receiving.receiver(flood) as there:
        assert channels.post(there.url, {}) is ChannelAnswer.TOOK
    assert sum(sent) < 20_000_000
