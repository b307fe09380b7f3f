"""The chapter "In curl" of docs/agents.md, pasted into a shell: commands give the output that stands there, by a running Continuity."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.documented import as_written, written
from tests.platform.running import PROJECT, Application, key_of
from tests.whole_application import HEARTBEAT_SECONDS, LOST_AFTER_SECONDS, PROBE_SECONDS

CHAPTER = PROJECT / "docs" / "agents.md"
# As the chapter has them, and as the Continuity of these tests is set.
SETTINGS = {
    '_interval_ms": 2000': f'_interval_ms": {HEARTBEAT_SECONDS * 1000:.0f}',
    '"interval_ms": 2000': f'"interval_ms": {HEARTBEAT_SECONDS * 1000:.0f}',
    '"lost_after_ms": 5000': f'"lost_after_ms": {LOST_AFTER_SECONDS * 1000:.0f}',
    '"probe_timeout_ms": 5000': f'"probe_timeout_ms": {PROBE_SECONDS * 1000:.0f}',
}
END = "--- that was it ---"

pytestmark = [pytest.mark.processes, pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")]


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_it_works(for_agents: Callable[[], Application], tmp_path: Path, shell: str) -> None:
    application = for_agents()
    doing = list(written(CHAPTER))
    pasted = "".join(f"{command}\necho {shlex.quote(END)}\n" for _, command, _ in doing)
    env = os.environ | {"URL": f"http://127.0.0.1:{application.port}", "KEY": key_of(application)}
    done = subprocess.run([shell], input=pasted, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False)
    told = done.stdout.split(f"{END}\n")
    assert len(told) == len(doing) + 1, done.stderr
    for (_, command, output), given in zip(doing, told, strict=False):
        for usual, here in SETTINGS.items():
            output = output.replace(usual, here)
        assert as_written(output).fullmatch(given), f"{command}\n{given}"
    assert done.stderr == ""


def test_it_goes_all_the_way() -> None:
    """Each call of the protocol stands in it, and the chapter is found at all."""
    called = " ".join(command for _, command, _ in written(CHAPTER))
    for part in ("/state?", "/state -X PUT", "/ready", "heartbeats -d", "/ended", "/claim", "/directive", "/ack"):
        assert part in called, part
