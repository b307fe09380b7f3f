"""When failed saves become alerts: the rules alone."""

from datetime import UTC, datetime, timedelta

from diagnostics.alerting.rules import AlertRule, AlertSeverity
from diagnostics.alerting.saves import WRITES, Raised, Saves

START = datetime(2026, 3, 1, 8, 0, tzinfo=UTC)
# The client's own tries: at once, after 1, 5 and 30 seconds, then every minute.
TRIES = [0, 1, 6, 36, *(36 + 60 * minute for minute in range(1, 12))]


def fail(saves: Saves, session: str = "s", tries: list[int] = TRIES) -> list[tuple[int, Raised]]:
    return [(second, alert) for second in tries for alert in saves.failed(session, "store_unavailable", START + timedelta(seconds=second))]


def test_it_works():
    raised = fail(Saves())
    assert [(second, alert.rule, alert.severity) for second, alert in raised] == [
        (36, AlertRule.SAVE_RETRIES_FAILED, AlertSeverity.ERROR),
        (336, AlertRule.SAVES_FAIL_ON, AlertSeverity.CRITICAL),
    ]


def test_fr002a_an_alert_names_session_message_retries_and_time():
    ((_second, alert), *_rest) = fail(Saves())
    assert (alert.session, alert.message, alert.retries, alert.since) == ("s", "store_unavailable", 3, START)
    assert alert.at == START + timedelta(seconds=36)


def test_a_success_in_between_begins_anew():
    saves = Saves()
    assert fail(saves, tries=[0, 1, 6]) == []
    assert saves.succeeded("s") is False
    assert fail(saves, tries=[10, 11, 16]) == []


def test_fr002b_after_a_recovery_the_same_is_told_again():
    saves = Saves()
    assert len(fail(saves)) == 2
    assert saves.succeeded("s") is True
    assert saves.succeeded("s") is False
    assert len(fail(saves)) == 2


def test_sessions_are_counted_by_themselves():
    saves = Saves()
    assert fail(saves, "a", [0, 1, 6]) == fail(saves, "b", [0, 1, 6]) == []
    assert len(fail(saves, "a", [36])) == 1


def test_retries_are_those_of_one_write():
    """Ten batches that are sent side by side and fail are ten first attempts."""
    saves = Saves()
    assert [saves.failed("s", "store_unavailable", START, f"batch {number}") for number in range(10)] == [[]] * 10
    later = [START + timedelta(seconds=second) for second in (1, 6, 36)]
    raised = [alert for at in later for alert in saves.failed("s", "store_unavailable", at, "batch 3")]
    assert [(alert.rule, alert.retries) for alert in raised] == [(AlertRule.SAVE_RETRIES_FAILED, 3)]


def test_batches_that_are_never_tried_again_are_forgotten():
    saves = Saves()
    for number in range(1000):
        saves.failed("s", "store_unavailable", START, f"batch {number}")
    assert len(saves._failing["s"].writes) == WRITES


def test_only_so_many_sessions_are_watched():
    saves = Saves(sessions=2)
    for session in "abc":
        fail(saves, session)
    assert [saves.succeeded(session) for session in "abc"] == [False, True, True]
