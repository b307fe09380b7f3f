"""Alerts that wait on disk for the store, whoever raised them and whatever became of that process."""

import logging
import threading
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from continuity.models import Event
from diagnostics import save_monitor
from diagnostics.alerting import channels
from diagnostics.alerting.rules import AlertRule
from diagnostics.alerting.saves import Raised
from diagnostics.alerting.waiting_alerts import WaitingAlerts
from diagnostics.models import Alert
from diagnostics.services import alert_delivery, alerts
from tests.alerts import incidents
from tests.api.caller import Caller, person


def raised(session: str, **times: int) -> Raised:
    at = timezone.now() - timedelta(**times)
    return Raised(AlertRule.SAVE_RETRIES_FAILED, session, "store_unavailable", 3, at - timedelta(seconds=36), at)


def fail(watch: save_monitor.Watch, session: str) -> None:
    for _ in range(4):
        watch.failed(session, "store_unavailable")


def test_it_works(team):
    session = Caller.of(team).open()
    fail(save_monitor.Watch(), session)
    alerts.settle(now=timezone.now())  # by a worker; the process that raised it is gone
    alert = Alert.objects.get()
    assert (alert.team, str(alert.subject_id), alert.over_at) == (team, session, None)
    assert Event.objects.filter(name="alert.raised").count() == 1


def test_the_next_process_stores_them_at_its_first_save(team):
    api = Caller.of(team)
    session, other = api.open(), api.open()
    fail(save_monitor.Watch(), session)
    save_monitor.Watch().succeeded(other)
    assert Alert.objects.get().subject_id == UUID(session)


def test_one_that_cannot_be_stored_holds_up_no_other(team):
    session = Caller.of(team).open()
    alerts.waiting().keep([raised("no id of a session"), raised(session)])
    alerts.settle(now=timezone.now())
    assert str(Alert.objects.get().subject_id) == session


def test_ending_between_storing_and_forgetting_stores_nothing_twice(team):
    alert = raised(Caller.of(team).open())
    alerts.waiting().keep([alert])
    with pytest.raises(KeyboardInterrupt), alerts.waiting().taken() as found:
        alerts.store(raised=found.alerts)
        raise KeyboardInterrupt
    alerts.settle(now=timezone.now())
    assert Alert.objects.get().id == alert.id
    assert Event.objects.filter(name="alert.raised").count() == 1
    with alerts.waiting().taken() as left:
        assert left.alerts == []


def test_nobody_waits_for_those_who_store(tmp_path):
    waiting = WaitingAlerts(tmp_path / "waiting")
    first, second = raised(str(uuid4())), raised(str(uuid4()))
    waiting.keep([first])
    with waiting.taken() as found:
        request = threading.Thread(target=waiting.keep, args=([second],))
        request.start()
        request.join(10)
        assert not request.is_alive()
    assert found.alerts == [first]
    with waiting.taken() as found:
        assert found.alerts == [second]
    with waiting.taken() as found:
        assert found.alerts == []


def test_what_was_taken_and_not_stored_comes_again_with_what_was_raised_since(tmp_path):
    waiting = WaitingAlerts(tmp_path / "waiting")
    alerts_raised = [raised(str(uuid4())) for _ in range(3)]
    for alert in alerts_raised:
        waiting.keep([alert])
        with pytest.raises(KeyboardInterrupt), waiting.taken():
            raise KeyboardInterrupt
    with waiting.taken() as found, waiting.taken() as at_the_same_time:
        assert found.alerts == at_the_same_time.alerts == alerts_raised
    assert [path.name for path in tmp_path.iterdir()] == ["waiting.lock"]


def test_an_alert_is_told_before_it_is_kept(settings, tmp_path, caplog):
    settings.CONTINUITY_DATA_DIR = tmp_path / "missing"
    with caplog.at_level(logging.ERROR, "continuity.alerts"):
        fail(save_monitor.Watch(), str(uuid4()))
    told = [record.message for record in caplog.records]
    [said] = [place for place, words in enumerate(told) if "can't be saved" in words]
    assert said < told.index("Alerts could not be kept")


def test_an_alert_is_over_once_its_session_is_saved_in_any_process(team):
    api = Caller.of(team)
    session, other = api.open(), api.open()
    alerts.store(raised=[raised(session, minutes=1), raised(other, minutes=1), raised(str(uuid4()), minutes=1)])
    api.say(session, person("Back again."))
    alerts.settle(now=timezone.now())
    assert [alert.subject_id for alert in Alert.objects.open()] == [UUID(other)]


def test_a_save_from_before_the_alert_ends_nothing(team):
    api = Caller.of(team)
    session = api.open()
    api.say(session, person("Hello"))
    alerts.store(raised=[raised(session)])
    alerts.settle(now=timezone.now())
    assert Alert.objects.open().exists()


def test_a_line_that_was_cut_off_costs_itself_only(tmp_path):
    path = tmp_path / "waiting"
    waiting = WaitingAlerts(path)
    first, second = raised(str(uuid4())), raised(str(uuid4()))
    waiting.keep([first])
    path.write_bytes(path.read_bytes() + b'\n{"id": "tor')
    waiting.keep([second])
    with waiting.taken() as found:
        assert found.alerts == [first, second]


def test_a_disk_that_takes_nothing_fails_no_request(settings, tmp_path, caplog):
    settings.CONTINUITY_DATA_DIR = tmp_path / "missing"
    fail(save_monitor.Watch(), str(uuid4()))
    assert "Alerts could not be kept" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_what_the_process_told_while_the_store_was_away_is_not_told_again(team, settings):
    session = Caller.of(team).open()
    with incidents.pretended() as there:
        settings.ALERT_PAGERDUTY_KEY, settings.ALERT_PAGERDUTY_URL = "key", there.url
        fail(save_monitor.Watch(), session)
        incidents.until_sent()
        alerts.settle(now=timezone.now())
        assert Alert.objects.get().untold == []
        incidents.until_told()
        assert there.told == 1


@pytest.mark.django_db(transaction=True)
def test_what_the_process_could_not_tell_is_told_by_the_monitor_once_it_is_stored(team, settings, monkeypatch):
    """It gave up, or was killed."""
    monkeypatch.setattr(channels, "PAUSES", ())
    session = Caller.of(team).open()
    settings.ALERT_PAGERDUTY_KEY, settings.ALERT_PAGERDUTY_URL = "key", "http://127.0.0.1:1/"
    fail(save_monitor.Watch(), session)
    incidents.until_sent()
    alerts.settle(now=timezone.now())
    with incidents.pretended() as there:
        settings.ALERT_PAGERDUTY_URL = there.url
        incidents.until_told()
        assert there.told == 0  # It may still be at it.
        Alert.objects.update(created_at=timezone.now() - alert_delivery.OTHERS_TELL)
        incidents.until_told()
        assert (there.told, len(there.open)) == (1, 1)


def test_a_fault_in_telling_what_is_not_stored_is_logged(monkeypatch, caplog):
    def faulty(alert):
        raise ValueError("A line of two")

    monkeypatch.setitem(channels.CHANNELS, "mail", channels.AlertChannel(lambda: True, faulty))
    fail(save_monitor.Watch(), str(uuid4()))
    incidents.until_sent()
    assert [record.metadata["channel"] for record in caplog.records if "could not be told" in record.message] == ["mail"]
