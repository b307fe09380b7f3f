"""The registry of alerts: what each is called, how grave it is, and how it is said. Pure.

A new one is a member and a line in RULES; `services/raising.py` raises it for any subject, once while it is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AlertRule(StrEnum):
    SAVE_RETRIES_FAILED = "save_retries_failed"
    SAVES_FAIL_ON = "saves_fail_on"
    AUDIT_DIFFERS = "audit_differs"
    MESSAGE_SKIPPED = "message_skipped"
    WORK_FAILS = "work_fails"
    DEAD_LETTER = "dead_letter"
    RESUMPTIONS_FAIL = "resumptions_fail"
    EVENTS_LATE = "events_late"
    REPLAY_DEGRADED = "replay_degraded"
    REPLAY_GAP = "replay_gap"
    RECEIVER_FAILS = "receiver_fails"
    PURGE_FAILS = "purge_fails"
    TEST = "test"


class AlertSeverity(StrEnum):
    ERROR = "error"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True)
class RuleFacts:
    """`sentence` may name `session` (the subject), `message`, `retries` and `since`; `subject` is the kind of thing it is about."""

    sentence: str
    severity: AlertSeverity = AlertSeverity.ERROR
    subject: str = "conversation"


_UNSAVED = "Session {session} can't be saved ({message}); tried again {retries} times since {since}"
_CRITICAL = AlertSeverity.CRITICAL
RULES = {
    AlertRule.SAVE_RETRIES_FAILED: RuleFacts(_UNSAVED),
    AlertRule.SAVES_FAIL_ON: RuleFacts(_UNSAVED, _CRITICAL),
    AlertRule.AUDIT_DIFFERS: RuleFacts("What is stored of session {session} differs from what its messages give ({message})"),
    AlertRule.MESSAGE_SKIPPED: RuleFacts("A message of session {session} could not be read and is passed over ({message})"),
    AlertRule.WORK_FAILS: RuleFacts("Work in the background fails for {session} ({message}); tried {retries} times"),
    AlertRule.DEAD_LETTER: RuleFacts("Events wait as dead letters that a subscriber never took ({message})", subject="subscriber"),
    AlertRule.RESUMPTIONS_FAIL: RuleFacts("Sessions of team {session} can't be gone on from: {message}", subject="team"),
    AlertRule.EVENTS_LATE: RuleFacts("Events take too long to their handlers ({message})", _CRITICAL, "installation"),
    AlertRule.REPLAY_DEGRADED: RuleFacts("A subscriber failed on what it had missed ({message})", _CRITICAL, "subscription"),
    AlertRule.REPLAY_GAP: RuleFacts("Events are gone that a subscriber had missed ({message})", subject="subscription"),
    AlertRule.RECEIVER_FAILS: RuleFacts("A receiver of webhooks fails again and again ({message})", subject="subscription"),
    AlertRule.PURGE_FAILS: RuleFacts("What is old is no longer deleted ({message}): the disk will fill", _CRITICAL, "installation"),
    AlertRule.TEST: RuleFacts("This is a test of the alerts ({message}); nothing is wrong", subject="team"),
}
