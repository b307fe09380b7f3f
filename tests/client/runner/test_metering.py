"""FR-048: what an agent's processes use, with all that they started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from continuity.client.runner.usage_meter import LOOK_SECONDS, UsageMeter, totals

BUSY = """
import time
held = bytearray(40_000_000)
begun = time.process_time()
while time.process_time() < begun + 0.3:
    pass
print(1, flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="only Linux tells")
def test_it_works() -> None:
    """A process that works in a child of its own."""
    inner = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BUSY!r}])"
    with subprocess.Popen([sys.executable, "-c", inner], stdout=subprocess.PIPE, start_new_session=True) as child:
        meter = UsageMeter()
        assert meter.look(child.pid, now=0.0) is None, "nothing to compare with"
        assert child.stdout is not None
        child.stdout.readline()
        assert meter.look(child.pid, now=LOOK_SECONDS - 1) is None, "too early"
        used = meter.look(child.pid, now=LOOK_SECONDS)
        os.killpg(child.pid, signal.SIGKILL)
    assert used is not None
    assert 0.025 <= used["cpu_cores"] < 0.5
    assert used["memory_bytes"] > 40_000_000
    assert used["disk_bytes_per_second"] >= 0


def process(proc: Path, pid: int, *, ticks: int, pages: int = 10, children: str = "") -> None:
    folder = proc / str(pid)
    (folder / "task" / str(pid)).mkdir(parents=True, exist_ok=True)
    (folder / "stat").write_text(f"{pid} (a ) b) S 1 1 1 0 0 0 0 0 0 0 {ticks} 0 0 0 0 0 0 0 0")
    (folder / "statm").write_text(f"50 {pages} 1 1 0 1 0")
    (folder / "io").write_text("rchar: 9\nread_bytes: 100\nwrite_bytes: 200\n")
    (folder / "task" / str(pid) / "children").write_text(children)


def test_a_child_that_ended_makes_nothing_negative(tmp_path: Path) -> None:
    process(tmp_path, 5, ticks=10, children="6")
    process(tmp_path, 6, ticks=90)
    meter = UsageMeter(proc=tmp_path)
    meter.look(5, now=0.0)
    process(tmp_path, 5, ticks=11)
    used = meter.look(5, now=20.0)
    assert used is not None
    assert (used["cpu_cores"], used["disk_bytes_per_second"]) == (0.0, 0.0)


def test_where_nobody_tells_nothing_is_told(tmp_path: Path) -> None:
    assert totals(5, tmp_path) is None
    assert UsageMeter(proc=tmp_path).look(5, now=0.0) is None


def test_another_process_begins_anew(tmp_path: Path) -> None:
    process(tmp_path, 5, ticks=100)
    process(tmp_path, 7, ticks=5000)
    meter = UsageMeter(proc=tmp_path)
    meter.look(5, now=0.0)
    assert meter.look(7, now=20.0) is None
