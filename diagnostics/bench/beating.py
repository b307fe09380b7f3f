"""Agents for a measurement that beat as a runner lets them, so that no monitor beside us takes them for lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

from continuity.models import Team
from continuity.services.agents import heartbeats, registry
from continuity.services.agents.heartbeats import ReportedBeat


class BeatingAgents:
    """They beat from their beginning until the end of `beating`."""

    def __init__(self, team: Team) -> None:
        self._team = team
        self._beats: list[ReportedBeat] = []
        self._over = threading.Event()

    def start(self, name: str, given: Mapping[str, Any] | None = None) -> ReportedBeat:
        now = timezone.now()
        agent = registry.register(team=self._team, name=name, now=now, given=given or {}).agent
        if agent.instance_id is None:
            raise RuntimeError("an agent that was registered has no instance")
        registry.ready(team=self._team, name=name, now=now, epoch=agent.epoch, instance=agent.instance_id)
        beat = ReportedBeat(agent=name, epoch=agent.epoch, instance=agent.instance_id)
        self._beats.append(beat)
        return beat

    @contextmanager
    def beating(self) -> Iterator[None]:
        thread = threading.Thread(target=self._beat, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _beat(self) -> None:
        while not self._over.wait(settings.HEARTBEAT_INTERVAL_MS / 1000):
            for first in range(0, len(self._beats), heartbeats.AT_ONCE):
                given = self._beats[first : first + heartbeats.AT_ONCE]
                heartbeats.hear(team=self._team, runner="", given=given, now=timezone.now())
        connection.close()
