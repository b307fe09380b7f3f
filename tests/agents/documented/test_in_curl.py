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

CHAPTER = PROJECT / "docs" / "agents.md"
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
        assert as_written(output).fullmatch(given), f"{command}\n{given}"
    assert done.stderr == ""


def test_it_goes_all_the_way() -> None:
    """Each call of the protocol stands in it, and the chapter is found at all."""
    called = " ".join(command for _, command, _ in written(CHAPTER))
    for part in ("/state?", "/state -X PUT", "/ready", "heartbeats -d", "/ended", "/claim", "/directive", "/ack"):
        assert part in called, part
