"""The alerts for failed saves (FR-002a, FR-002b). Pure: told of each attempt and the time, it answers what to raise.

The client tries again after 1, 5 and 30 seconds, then every 60, and keeps everything on disk meanwhile. Three failed retries
are an alert; failing for five minutes on end is a critical one, once until a save succeeds.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from diagnostics.alerting.rules import RULES, AlertRule, AlertSeverity

RETRIES = 3
LONG = timedelta(minutes=5)
# Sessions that are watched at the same time; of more, those that failed longest ago are forgotten.
SESSIONS = 10_000
WRITES = 32  # batches of one session, likewise


ABOUT_SAVES = (AlertRule.SAVE_RETRIES_FAILED, AlertRule.SAVES_FAIL_ON)


@dataclass(frozen=True, slots=True)
class Raised:
    """An alert as the seed has it: session (or whatever else it is about), message, how often it was tried again, when. Names and
    numbers, never words."""

    rule: AlertRule
    session: str
    message: str
    retries: int
    since: datetime
    at: datetime
    id: UUID = field(default_factory=uuid4)

    @property
    def severity(self) -> AlertSeverity:
        return RULES[self.rule].severity


@dataclass(slots=True)
class _Write:
    """One batch that was not saved: since when, and in how many attempts."""

    since: datetime
    failures: int = 0


@dataclass(slots=True)
class _Failing:
    since: datetime
    writes: OrderedDict[str, _Write] = field(default_factory=OrderedDict)
    retried: bool = False
    raised: frozenset[AlertRule] = frozenset()


class Saves:
    """What is known of the sessions whose saves fail now. Not for several threads at once."""

    def __init__(self, sessions: int = SESSIONS) -> None:
        self._failing: OrderedDict[str, _Failing] = OrderedDict()
        self._sessions = sessions

    def failed(self, session: str, reason: str, now: datetime, write: str = "") -> list[Raised]:
        """A save failed; gives the alerts that it makes due, each once until the session's next success.

        `write` tells the batches of a session apart: retries are those of one batch, and batches that fail side by side are none of
        each other's.
        """
        known = self._failing.setdefault(session, _Failing(now))
        self._failing.move_to_end(session)
        if len(self._failing) > self._sessions:
            self._failing.popitem(last=False)
        tried = known.writes.setdefault(write, _Write(now))
        known.writes.move_to_end(write)
        if len(known.writes) > WRITES:
            known.writes.popitem(last=False)
        tried.failures += 1
        known.retried = known.retried or tried.failures > RETRIES
        since = {
            AlertRule.SAVE_RETRIES_FAILED: tried.since if tried.failures > RETRIES else None,
            AlertRule.SAVES_FAIL_ON: known.since if known.retried and now - known.since >= LONG else None,
        }
        new = {rule: begun for rule, begun in since.items() if begun is not None and rule not in known.raised}
        known.raised |= set(new)
        return [Raised(rule, session, reason, tried.failures - 1, begun, now) for rule, begun in new.items()]

    def succeeded(self, session: str) -> bool:
        """A save succeeded; whether an alert about the session is over by that."""
        known = self._failing.pop(session, None)
        return known is not None and bool(known.raised)
