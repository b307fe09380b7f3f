"""`make groups-demo` with real processes: one is killed in mid-turn, and the incident is solved all the same."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.platform.running import PROJECT


@pytest.mark.long
@pytest.mark.processes
def test_it_works() -> None:
    command = [sys.executable, "-m", "diagnostics.groups_demo", "--once"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=600, check=False)
    told = done.stdout
    assert done.returncode == 0, told + done.stderr
    assert "the turn of network is taken back" in told
    assert "network, who owns the step network, may not speak now" in told
    assert told.index("I look at the balancers") < told.index("I took over where it was")
    assert "dba writes “a lock on the orders table”: version 2, conflict none" in told
    assert "backend writes “exceptions in the payment API”: version 3, conflict unresolved" in told
    assert "Home asks for a choice" in told and "A person takes version 2: “a lock on the orders table”, version 4" in told
    assert "Never restart the payment queue" in told[told.index("its briefing has") :]
    assert "It waits for a person: auditor says that it is done." in told
