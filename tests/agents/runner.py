"""A runner as the API sees one, and the monitor's watch under a clock of the test's own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone

from continuity.models import Agent, Team
from continuity.services.agents import beats
from continuity.services.agents.agent_watch import AgentWatch
from handoffs.services.chains import backup_handoff
from tests.api.caller import Answer, Caller

RUNNER = "machine-1000-a"
START = datetime(2026, 11, 24, 12, tzinfo=UTC)


class Runner:
    """Registers agents, beats for them, and knows the epoch of each."""

    def __init__(self, team: Team, name: str = RUNNER, scopes: tuple[str, ...] = ("agent",)) -> None:
        self.team, self.name = team, name
        self.caller = Caller.of(team, scopes)
        self.known: dict[str, dict[str, Any]] = {}

    def start(self, *names: str, ready: bool = True, **given: Any) -> None:
        """Registers agents, and says that they are ready."""
        for name in names:
            answer = self.caller.post("/agents", {"name": name, "runner": self.name, **given})
            assert answer.status_code in (200, 201), answer.content
            self._keep(name, answer)
            if ready:
                assert self.post(name, "ready").status_code == 200

    def _keep(self, name: str, answer: Answer) -> None:
        told = answer.json()
        self.known[name] = {"epoch": told["epoch"], "instance": told["instance"]}

    def post(self, name: str, what: str, **body: Any) -> Answer:
        return self.caller.post(f"/agents/{name}/{what}", {**self.known[name], **body})

    def beat(self, *names: str, **each: Any) -> Answer:
        """One call for these agents, or for all."""
        told = [{"agent": name, **self.known[name], **each} for name in names or self.known]
        return self.caller.post("/agents/heartbeats", {"runner": self.name, "beats": told})

    def orders(self, name: str) -> list[dict[str, Any]]:
        answer = self.beat(name)
        assert answer.status_code == 200, answer.content
        found: list[dict[str, Any]] = answer.json()["agents"][0]["orders"]
        return found

    def claim(self, name: str, attempt: str) -> Answer:
        answer = self.caller.post(f"/agents/{name}/claim", {"attempt": attempt, "runner": self.name})
        if answer.status_code == 201:
            self._keep(name, answer)
        return answer

    def dies(self, name: str, **how: Any) -> dict[str, Any]:
        answer = self.post(name, "ended", **({"cause": "killed", "signal": 9} | how))
        assert answer.status_code == 200, answer.content
        told: dict[str, Any] = answer.json()
        return told

    def restarts(self, name: str, attempt: str) -> None:
        """The back-off is over, and the next instance comes to be ready."""
        back_off_is_over(name)
        answer = self.claim(name, attempt)
        assert answer.status_code == 201, answer.content
        assert self.post(name, "ready").status_code == 200


class Monitor:
    """The watch, looked through every half second of a clock that only moves here."""

    def __init__(self) -> None:
        self.clock = 1000.0
        self.now = timezone.now()
        self.watch = AgentWatch(lambda: self.clock)
        self.web_is_there = True

    def look(self, seconds: float = 0.0, *, beating: Any = None, every: float = 2.0) -> None:
        """Looks until so many seconds have passed; `beating` is called at each interval of beats meanwhile."""
        end, beat_at = self.clock + seconds, self.clock
        while True:
            if beating is not None and self.clock >= beat_at:
                beating()
                beat_at += every
            self.once()
            if self.clock >= end:
                return
            self.step(0.5)

    def once(self) -> None:
        if self.web_is_there:
            beats.be_present()
        self.watch(self.now)

    def step(self, seconds: float) -> None:
        self.clock += seconds
        self.now += timedelta(seconds=seconds)


def status(team: Team, name: str) -> str:
    return Agent.objects.get(team=team, name=name).status


def back_off_is_over(name: str) -> None:
    agent = Agent.objects.get(name=name)
    agent.attempts.filter(status="waiting").update(due_at=timezone.now() - timedelta(milliseconds=1))


def stranger() -> str:
    return str(uuid4())


def resumed_order(runner: Runner) -> dict[str, Any]:
    """What the backup of a dead agent is told."""
    backup_handoff.relieve_pending()
    orders = runner.orders("backup")
    assert [each["kind"] for each in orders] == ["resume"]
    return orders[0]
