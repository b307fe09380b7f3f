"""A program of which a person is only to be told is not ended, whatever it does not answer."""

import os

import pytest

from continuity.client.runner.machine import began_at
from tests.client.runner.test_keeping import ready

pytestmark = pytest.mark.processes


def test_it_works(server, runners):
    """The strategy that its code names holds for its runner."""
    runner = runners.agent("doubted", "doubted")
    assert ready(server, "doubted"), runners.told("doubted")
    child, agent = runners.child_of(runner), server.agent("doubted")
    id = agent.order("probe")
    assert server.eventually("doubted", lambda found: any(beat.get("probe") == {"id": id, "ok": False} for beat in found.beats))
    assert agent.deaths == []
    assert began_at(child)
    (runners.home / "works").touch()
    id = agent.order("probe")
    assert server.eventually("doubted", lambda found: any(beat.get("probe") == {"id": id, "ok": True} for beat in found.beats))
    assert runners.child_of(runner) == child
    assert os.getpgid(child)
