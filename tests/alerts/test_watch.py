"""A store that goes away under those who record: counted, told, kept, and over when it is back."""

import json
import logging
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from continuity.models import Event
from diagnostics import save_monitor
from diagnostics.alerting import channels
from diagnostics.alerting.channels import ChannelAnswer
from diagnostics.alerting.rules import AlertRule
from diagnostics.alerting.saves import Raised
from diagnostics.models import Alert
from tests.alerts import incidents
from tests.api.caller import Caller, person

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Taken:
    """What came in at `address`; `answers` are the statuses that it gives, the last one for ever."""

    address: str = ""
    received: list[dict[str, Any]] = field(default_factory=list)
    answers: list[int] = field(default_factory=lambda: [200])


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setattr(save_monitor, "watch", save_monitor.Watch())


@pytest.fixture
def webhook():
    taken = Taken()

    class Taker(BaseHTTPRequestHandler):
        def do_POST(self):
            taken.received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(taken.answers.pop(0) if len(taken.answers) > 1 else taken.answers[0])
            self.end_headers()

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Taker)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    taken.address = f"http://127.0.0.1:{server.server_port}/hook"
    yield taken
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def store(monkeypatch):
    """The store, which goes away and comes back."""

    class Store:
        port = connection.settings_dict["PORT"]

        def go(self):
            monkeypatch.setitem(connection.settings_dict, "PORT", "1")
            connection.close()

        def come_back(self):
            monkeypatch.setitem(connection.settings_dict, "PORT", self.port)
            connection.close()

    made = Store()
    yield made
    made.come_back()


def failures(session):
    told = Client().get("/metrics").content.decode()
    lines = [line for line in told.splitlines() if line.startswith("session_save_failures_total") and session in line]
    return float(lines[0].rpartition(" ")[2]) if lines else 0.0


def fail(api, session, times):
    for _ in range(times):
        assert api.say(session, person("Hello")).status_code == 503


def test_it_works(team, webhook, store, settings, caplog):
    settings.ALERT_WEBHOOK = webhook.address
    api = Caller.of(team)
    session = api.open()
    store.go()
    with caplog.at_level(logging.ERROR, "continuity.alerts"):
        fail(api, session, 5)
    store.come_back()
    incidents.until_sent()
    (sent,) = webhook.received
    assert (sent["rule"], sent["session_id"], sent["retries"], sent["severity"]) == ("save_retries_failed", session, 3, "error")
    assert sum("can't be saved" in record.message for record in caplog.records) == 1
    assert failures(session) == 5
    assert api.say(session, person("Hello")).status_code == 201
    (told,) = api.get("/alerts").json()["items"]
    assert (told["rule"], told["conversation_id"]) == (AlertRule.SAVE_RETRIES_FAILED, session)
    assert told["over_at"] is not None
    assert Event.objects.filter(name="alert.raised", team=team).count() == 1


def test_batches_that_fail_side_by_side_are_no_retries(team, store):
    api = Caller.of(team)
    session = api.open()
    store.go()
    for number in range(6):
        assert api.say(session, person(f"Hello {number}")).status_code == 503
    store.come_back()
    assert failures(session) == 6
    assert api.say(session, person("Hello")).status_code == 201
    assert api.get("/alerts").json()["items"] == []


def test_fr002b_every_failed_save_is_counted_and_logged_until_one_succeeds(team, store, caplog):
    api = Caller.of(team)
    session = api.open()
    store.go()
    with caplog.at_level(logging.ERROR, "continuity.alerts"):
        fail(api, session, 7)
    store.come_back()
    assert failures(session) == 7
    assert sum(record.message == "A save failed" for record in caplog.records) == 7
    assert api.say(session, person("Hello")).status_code == 201
    assert failures(session) == 7


def test_a_refusal_is_no_failed_save(team):
    api = Caller.of(team)
    session = api.open()
    assert api.post(f"/conversations/{session}/messages", {}).status_code == 422
    assert failures(session) == 0


def test_ids_in_the_metric_are_bounded(team, settings):
    settings.CONTINUITY_METRIC_IDS = 1
    watch = save_monitor.Watch()
    first, second = f"{1:08}-0000-4000-8000-000000000000", f"{2:08}-0000-4000-8000-000000000000"
    before = failures("other")
    for session in (first, second):
        watch.failed(session, "store_unavailable")
    assert (failures(first), failures(second), failures("other")) == (1, 0, before + 1)


def test_an_outsider_sees_no_alert(team, other_team):
    times = dict.fromkeys(("since", "raised_at"), "2026-03-01T00:00Z")
    Alert.objects.create(team=team, subject_id=team.id, rule="r", severity="error", message="m", retries=3, **times)
    assert Caller.of(other_team).get("/alerts").json()["items"] == []
    assert len(Caller.of(team).get("/alerts", open="true").json()["items"]) == 1


@pytest.mark.parametrize(("answers", "took", "tries"), [([200], True, 1), ([500, 403, 200], True, 3), ([500], False, 3)])
def test_a_webhook_is_tried_three_times(webhook, settings, monkeypatch, caplog, answers, took, tries):
    monkeypatch.setattr(channels, "PAUSES", (0.0, 0.0))
    settings.ALERT_WEBHOOK, webhook.answers[:] = webhook.address, answers
    told: list[str] = []
    channels.send(Raised(AlertRule.TEST, str(uuid4()), "m", 0, timezone.now(), timezone.now()), told=told.append)
    incidents.until_sent()
    assert len(webhook.received) == tries
    assert told == (["webhook"] if took else [])
    assert webhook.address not in caplog.text


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/", "http://hooks..example.com/", "http://[::1", "no address"])
def test_an_address_where_nobody_answers_raises_nothing(address):
    assert channels.post(address, {}) is ChannelAnswer.AWAY
