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
    CLEANUP_FAILED = "cleanup_failed"
    AGENT_FAILED = "agent_failed"
    AGENT_LOST = "agent_lost"
    TEAM_DEGRADED = "team_degraded"
    GROUP_SUSPENDED = "group_suspended"
    TEST = "test"


class AlertSeverity(StrEnum):
    ERROR = "error"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True)
class RuleFacts:
    """`sentence` goes to the channels: it may name `session` (the subject), `message`, `retries` and `since`. `title` and `meaning` are
    for the page, where people read them who know nothing of us: what it is, what comes of it, and when it is over. `subject` is the
    kind of thing it is about."""

    title: str
    meaning: str
    sentence: str
    severity: AlertSeverity = AlertSeverity.ERROR
    subject: str = "conversation"


_UNSAVED = "Session {session} can't be saved ({message}); tried again {retries} times since {since}"
_KEPT = "Nothing is lost: the agent's computer keeps what was not stored and tries again. It is over with the next save that succeeds."
_CRITICAL = AlertSeverity.CRITICAL
RULES = {
    AlertRule.SAVE_RETRIES_FAILED: RuleFacts("A conversation can't be saved", _KEPT, _UNSAVED),
    AlertRule.SAVES_FAIL_ON: RuleFacts("A conversation could not be saved for five minutes", _KEPT, _UNSAVED, _CRITICAL),
    AlertRule.AUDIT_DIFFERS: RuleFacts(
        "A check found a difference",
        "What is known of the conversation is not what its messages say. It is over when a later check finds no difference.",
        "What is stored of session {session} differs from what its messages give ({message})",
    ),
    AlertRule.MESSAGE_SKIPPED: RuleFacts(
        "A message could not be read",
        "It is stored, but handoffs don't know what it says. It is over when the message was read, such as after an update.",
        "A message of session {session} could not be read and is passed over ({message})",
    ),
    AlertRule.WORK_FAILS: RuleFacts(
        "Work in the background fails",
        "It is tried again by itself, with longer and longer pauses. It is over when it succeeds.",
        "Work in the background fails for {session} ({message}); tried {retries} times",
    ),
    AlertRule.DEAD_LETTER: RuleFacts(
        "A subscriber did not take its events",
        "Some failed each time they were given to it. They wait on the page Events, to be given again. It is over when none waits.",
        "Events wait as dead letters that a subscriber never took ({message})",
        subject="subscriber",
    ),
    AlertRule.RESUMPTIONS_FAIL: RuleFacts(
        "Handoffs can't be resumed",
        "Too many attempts to go on from a handoff failed in the last 24 hours. It is over when the share is good again.",
        "Sessions of team {session} can't be gone on from: {message}",
        subject="team",
    ),
    AlertRule.EVENTS_LATE: RuleFacts(
        "Events arrive late",
        "Subscribers that wait get their events too late: the machine may be overloaded. It is over when events are fast again.",
        "Events take too long to their handlers ({message})",
        _CRITICAL,
        "installation",
    ),
    AlertRule.REPLAY_DEGRADED: RuleFacts(
        "A subscriber failed on what it had missed",
        "After it was away it failed on at least half of its events, so it may not know what happened. It is over when it begins anew.",
        "A subscriber failed on what it had missed ({message})",
        _CRITICAL,
        "subscription",
    ),
    AlertRule.REPLAY_GAP: RuleFacts(
        "A subscriber missed events for good",
        "They were deleted, as old ones are, before it got them. It is over when it comes back from an absence and has missed none, "
        "or, as a webhook, has taken later ones.",
        "Events are gone that a subscriber had missed ({message})",
        subject="subscription",
    ),
    AlertRule.RECEIVER_FAILS: RuleFacts(
        "The receiver of a webhook fails",
        "Its events wait, and it is tried again with pauses of up to five minutes. It is over when it takes one.",
        "A receiver of webhooks fails again and again ({message})",
        subject="subscription",
    ),
    AlertRule.PURGE_FAILS: RuleFacts(
        "Old data is not deleted",
        "The disk will fill. It is over when deleting succeeds.",
        "What is old is no longer deleted ({message}): the disk will fill",
        _CRITICAL,
        "installation",
    ),
    AlertRule.CLEANUP_FAILED: RuleFacts(
        "An invalidated conversation can't be cleaned up",
        "It takes no messages, but its uploads or entries in the event stream are still there. It is tried again every hour. It is over "
        "when that succeeds.",
        "What invalidated session {session} still holds can't be cleared away ({message})",
        _CRITICAL,
    ),
    AlertRule.AGENT_FAILED: RuleFacts(
        "An agent failed and waits for a person",
        "It failed too often, or nobody could go on for it; nobody tries again by himself. It is over when it runs again, or is stopped.",
        "An agent failed and waits for a person ({message})",
        _CRITICAL,
        "agent",
    ),
    AlertRule.AGENT_LOST: RuleFacts(
        "An agent is not heard of, or hangs",
        "Nobody starts it for us: it runs by itself, its whole machine is silent, or only a person is to be told. "
        "It is over when it is heard of again, or answers its probes.",
        "An agent is not heard of or hangs, and nobody starts it ({message})",
        subject="agent",
    ),
    AlertRule.TEAM_DEGRADED: RuleFacts(
        "Many agents failed at once",
        "Nothing new is begun for agents and what runs goes on. It is over when they have been well for two minutes.",
        "Many agents of a team failed within 30 seconds ({message})",
        _CRITICAL,
        "incident",
    ),
    AlertRule.GROUP_SUSPENDED: RuleFacts(
        "No agent of a group is there",
        "What people say in the group is kept. It is over when one of its agents is ready again, or the group is closed.",
        "No agent of a group is there ({message})",
        _CRITICAL,
        "group",
    ),
    AlertRule.TEST: RuleFacts(
        "A test of the alerts",
        "Nothing is wrong.",
        "This is a test of the alerts ({message}); nothing is wrong",
        subject="team",
    ),
}
