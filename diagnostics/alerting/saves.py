"""When failed saves become alerts (FR-002a, FR-002b). Pure: told of each attempt and the time, it answers what to raise.

The client tries again after 1, 5 and 30 seconds, then every 60, and keeps everything on disk meanwhile. Three failed retries
are an alert; failing for five minutes on end is a critical one, once until a save succeeds.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID, uuid4

RETRIES = 3
LONG = timedelta(minutes=5)
# Sessions that are watched at the same time; of more, those that failed longest ago are forgotten.
SESSIONS = 10_000


class Rule(StrEnum):
    SAVE_RETRIES_FAILED = "save_retries_failed"
    SAVES_FAIL_ON = "saves_fail_on"
    AUDIT_DIFFERS = "audit_differs"


class Severity(StrEnum):
    ERROR = "error"
    CRITICAL = "critical"


SEVERITY = {Rule.SAVE_RETRIES_FAILED: Severity.ERROR, Rule.SAVES_FAIL_ON: Severity.CRITICAL, Rule.AUDIT_DIFFERS: Severity.ERROR}
ABOUT_SAVES = (Rule.SAVE_RETRIES_FAILED, Rule.SAVES_FAIL_ON)


@dataclass(frozen=True, slots=True)
class Raised:
    """An alert as the seed has it: session, message, how often it was tried again, when. Names and numbers, never words."""

    rule: Rule
    session: str
    message: str
    retries: int
    since: datetime
    at: datetime
    id: UUID = field(default_factory=uuid4)

    @property
    def severity(self) -> Severity:
        return SEVERITY[self.rule]


@dataclass(slots=True)
class _Failing:
    since: datetime
    failures: int = 0
    raised: frozenset[Rule] = frozenset()


class Saves:
    """What is known of the sessions whose saves fail now. Not for several threads at once."""

    def __init__(self, sessions: int = SESSIONS) -> None:
        self._failing: OrderedDict[str, _Failing] = OrderedDict()
        self._sessions = sessions

    def failed(self, session: str, reason: str, now: datetime) -> list[Raised]:
        """A save failed; gives the alerts that it makes due, each once until the session's next success."""
        known = self._failing.setdefault(session, _Failing(now))
        self._failing.move_to_end(session)
        if len(self._failing) > self._sessions:
            self._failing.popitem(last=False)
        known.failures += 1
        retried = known.failures > RETRIES
        due = {Rule.SAVE_RETRIES_FAILED: retried, Rule.SAVES_FAIL_ON: retried and now - known.since >= LONG}
        new = [rule for rule, holds in due.items() if holds and rule not in known.raised]
        known.raised |= set(new)
        return [Raised(rule, session, reason, known.failures - 1, known.since, now) for rule in new]

    def succeeded(self, session: str) -> bool:
        """A save succeeded; whether an alert about the session is over by that."""
        known = self._failing.pop(session, None)
        return known is not None and bool(known.raised)
