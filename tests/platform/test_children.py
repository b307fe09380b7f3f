"""What the supervisor keeps alive: launched, noticed when it dies, ended in bounded time with all of its own children."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.children import Child, Program
from config.embedded.launch import wait_until
from config.processes import Identity, identify, me, started_at
from tests.platform.running import children_of

SLEEPER = "import time; print('up', flush=True); time.sleep(60)"
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {SLEEPER!r}])"


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    made = Program([sys.executable, "-c", SLEEPER], dict(os.environ), tmp_path, ((signal.SIGTERM, 5.0),))
    yield made
    made.stop(lambda: True)


def pid_of(program: Program) -> int:
    assert program.process is not None
    return program.process.pid


def test_it_works(program: Program) -> None:
    child = Child("sleeper", program)
    child.start(10.0)
    assert (child.status(), child.died(11.0), child.due(11.0)) == (None, None, False)
    os.kill(pid_of(program), signal.SIGKILL)
    assert wait_until(lambda: child.status() is not None, 5.0)
    assert child.died(12.0) == -signal.SIGKILL
    assert child.died(12.0) is None
    assert child.due(12.0)
    child.start(12.0)
    assert child.status() is None


def test_second_early_death_waits_longer(program: Program) -> None:
    child = Child("sleeper", program)
    for now, due_at in ((10.0, 10.0), (11.0, 11.5), (12.0, 13.0)):
        child.start(now)
        os.kill(pid_of(program), signal.SIGKILL)
        assert wait_until(lambda: child.status() is not None, 5.0)
        child.died(now)
        assert child.due_at == due_at


def test_stubborn_program_is_killed_when_its_time_is_up(program: Program) -> None:
    program.command, program.signals = [sys.executable, "-c", STUBBORN], ((signal.SIGTERM, 0.2),)
    program.launch()
    pid = pid_of(program)
    program.stop()
    assert started_at(pid) is None


def test_hurry_does_not_wait(program: Program) -> None:
    program.command, program.signals = [sys.executable, "-c", STUBBORN], ((signal.SIGTERM, 60.0),)
    program.launch()
    before = time.monotonic()
    program.stop(lambda: True)
    assert time.monotonic() - before < 30.0


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are listed on Linux only")
def test_children_of_a_killed_program_end_before_it_is_launched_again(program: Program) -> None:
    program.command = [sys.executable, "-c", PARENT]
    program.launch()
    assert wait_until(lambda: len(children_of(pid_of(program))) == 1, 10.0)
    (orphan,) = children_of(pid_of(program))
    os.kill(pid_of(program), signal.SIGKILL)
    assert wait_until(lambda: program.process is not None and program.process.poll() is not None, 5.0)
    program.launch()
    assert wait_until(lambda: not orphan.alive(), 5.0)


def test_identity_tells_a_process_from_a_later_one_with_its_pid() -> None:
    who = me()
    assert who == identify(os.getpid())
    assert who.alive()
    assert not Identity(who.pid, who.started - 1).alive()
    assert identify(0) is None
