"""The monitor's watch over agents (FR-007, FR-009): who is lost, who hangs, who is not ready in time, which incident is over.

It counts by its own monotonic clock, and only while it could have heard: not while Valkey, the store, or every web process was away, nor
while it stood still itself, nor for one window after.
"""

import logging
import time
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.conf import settings

from continuity.agents.liveness import Liveness, ProbeState
from continuity.agents.silence import LONGEST_GAP, Silence
from continuity.services.agents import beats, incidents, presence, recovery
from continuity.services.agents.beats import RUNNER, NewBeats
from continuity.services.agents.monitor_reads import Beginning, WatchedAgents, beginning, watched

logger = logging.getLogger("continuity.agents")

LOOK = timedelta(milliseconds=500)
# Where there is nobody to watch.
REST = timedelta(seconds=2)
READ_SECONDS = 2.0
REVIEW_SECONDS = 5.0
# A whole runner that is silent may be a laptop that sleeps: after so long its agents count as lost.
RUNNER_SECONDS = 60.0
# Of many that are lost at once so many are dealt with before the next look.
AT_ONCE = 50


class AgentWatch:
    """Called again and again; all that it knows besides the rows is when it heard what."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._silence = Silence(settings.AGENT_LOST_AFTER_MS / 1000)
        self._runners = Silence(RUNNER_SECONDS)
        interval = settings.HEARTBEAT_INTERVAL_MS / 1000
        self._liveness = Liveness(settings.LIVENESS_PROBE_TIMEOUT_MS / 1000, interval)
        self._not_ready = _NotReady()
        self._number, self._presence, self._present_at = 0, -1, 0.0
        self._runners_heard: dict[str, float] = {}
        self._rows = WatchedAgents({})
        self._beginning: list[Beginning] = []
        self._read_at = self._reviewed_at = self._looked_at = -REVIEW_SECONDS

    def __call__(self, now: datetime) -> datetime | None:
        clock = self._clock()
        heard = beats.beats_since(self._number, self._liveness.open)
        self._number = heard.number if heard else 0
        self._read(clock, heard)
        stood_still, self._looked_at = clock - self._looked_at > LONGEST_GAP, clock
        away = heard is None or self._nobody_can_call(heard.presence, clock)
        members = heard.members if heard else frozenset()
        self._rows = self._rows.hearing(members)
        self._hear_runners(members, clock)
        self._find_lost(clock, now, members, away)
        self._find_zombies(clock, now, heard, away)
        self._find_gone(clock, now, away)
        self._find_late(clock, now, away or stood_still)
        self._review(clock, now)
        return now + self._pause(clock)

    def _pause(self, clock: float) -> timedelta:
        """Until the next look, which comes early where somebody's time is over before."""
        if not self._rows.known:
            return REST
        first = self._silence.next_after(clock)
        return LOOK if first is None else min(LOOK, timedelta(seconds=first - clock))

    def _hear_runners(self, members: Collection[str], clock: float) -> None:
        """Takes up the runners of the last minute, and when each was heard of."""
        kept = {who: at for who, at in self._runners_heard.items() if clock - at < RUNNER_SECONDS}
        self._runners_heard = kept | {each: clock for each in members if each.startswith(RUNNER)}

    def _timely(self, clock: float) -> Callable[[], bool]:
        """Whether this look is still the one that saw it: a store that hung meanwhile kept beats away too."""
        return lambda: self._clock() - clock < LONGEST_GAP

    def _read(self, clock: float, heard: NewBeats | None) -> None:
        known = self._rows.known
        strangers = any(each not in known for each in (heard.members if heard else ()) if not each.startswith(RUNNER))
        if strangers or clock - self._read_at >= READ_SECONDS:
            self._rows, self._read_at = WatchedAgents(watched(), self._rows.beating), clock
            self._beginning = beginning() if self._rows.beginning else []

    def _nobody_can_call(self, told: int, clock: float) -> bool:
        if told != self._presence:
            self._presence, self._present_at = told, clock
        return told == 0 or clock - self._present_at > presence.LONGEST

    def _find_lost(self, clock: float, now: datetime, members: Collection[str], away: bool) -> None:
        expected = self._rows.expected
        lost = self._silence.look(clock=clock, watched=self._rows.heard_of, heard=members, away=away)
        due = self._silence.deadlines
        for who in [each for each in lost if each in expected][:AT_ONCE]:
            row = expected[who]
            alone = not row.runner or due[row.runner_member] > due[who]
            silent_for = (clock - due[who] + self._silence.lost_after) * 1000
            recovery.lost(agent_id=row.id, epoch=row.epoch, alone=alone, detection_ms=silent_for, now=now, timely=self._timely(clock))
            self._read_at = -READ_SECONDS

    def _find_zombies(self, clock: float, now: datetime, heard: NewBeats | None, away: bool) -> None:
        if heard is None or away:
            self._liveness.excuse(clock=clock)
            return
        for who in [each for each in self._rows.hanging if heard.probes.get(each) == ProbeState.ANSWERED]:
            recovery.answered(agent_id=self._rows.hanging[who].id, epoch=self._rows.hanging[who].epoch, now=now)
            self._read_at = -READ_SECONDS
        to_ask, zombies = self._liveness.look(clock=clock, watched=self._rows.asked, states=heard.probes)
        beats.ask({UUID(who): uuid4().hex for who in to_ask})
        for who in zombies:
            row = self._rows.known[who]
            recovery.zombie(agent_id=row.id, epoch=row.epoch, now=now, timely=self._timely(clock))

    def _find_gone(self, clock: float, now: datetime, away: bool) -> None:
        silent = self._rows.of_silent_runners
        for who in self._runners.look(clock=clock, watched=silent, heard=(), away=away):
            recovery.runner_lost(agent_id=silent[who].id, epoch=silent[who].epoch, now=now, timely=self._timely(clock))

    def _find_late(self, clock: float, now: datetime, away: bool) -> None:
        timely = self._timely(clock)
        for row in self._not_ready.late(self._beginning, clock=clock, away=away)[:AT_ONCE]:
            if row.attempt is not None:
                recovery.timed_out(attempt_id=row.attempt, now=now, timely=timely)
            else:
                recovery.never_ready(agent_id=row.agent, epoch=row.epoch, now=now, timely=timely)
            self._read_at = -READ_SECONDS

    def _review(self, clock: float, now: datetime) -> None:
        elapsed = clock - self._reviewed_at
        if elapsed >= REVIEW_SECONDS:
            self._reviewed_at = clock
            incidents.review(now=now, elapsed=elapsed)
            for agent in incidents.due_again(now=now, runners=self._runners_heard):
                recovery.try_again(agent_id=agent, now=now)


class _NotReady:
    """Instances that begin, by when they were seen first, so that no clock that is set makes one late."""

    def __init__(self) -> None:
        self._seen: dict[tuple[UUID, str], float] = {}

    def late(self, rows: Collection[Beginning], *, clock: float, away: bool) -> list[Beginning]:
        """The agents that are not ready for longer than they may."""
        if away:
            self._seen = {}
            return []
        self._seen = {(row.agent, row.stage): self._seen.get((row.agent, row.stage), clock) for row in rows}
        return [row for row in rows if clock - self._seen[(row.agent, row.stage)] >= row.seconds]
