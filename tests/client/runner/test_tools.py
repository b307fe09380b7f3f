"""Command-line tools with our hooks under a runner: what they work on, and how they go on."""

import os
import signal
import sys

import pytest

from tests.platform.running import eventually

pytestmark = pytest.mark.processes


def test_it_works(server, runners):
    """Its hooks named the session: what it works on goes with the heartbeats, and later starts run another command."""
    again = f"{sys.executable} -m tests.client.runner.agents noted again"
    runner = runners.agent("noted", "hooked", options=("--again", again))
    assert server.eventually("noted", lambda found: found.beats and found.beats[-1].get("conversation_id") == "c1")
    os.kill(runners.child_of(runner), signal.SIGKILL)
    assert eventually((runners.home / "again").exists), runners.told("noted")
    assert runner.wait(30) == 0
