"""What the supervisor keeps alive: launched, noticed when it dies, ended in bounded time with all of its own children."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.supervision.children import Child, Program
from config.supervision.processes import Identity, identify, own_identity
from tests.platform.running import children_of, eventually

SLEEPER = "import time; print('up', flush=True); time.sleep(60)"
# It has to be deaf already when it is signalled: before that, it ends as any other.
STUBBORN = "import pathlib, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); pathlib.Path('deaf').touch(); time.sleep(60)"
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {SLEEPER!r}])"


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    made = Program([sys.executable, "-c", SLEEPER], dict(os.environ), tmp_path, ((signal.SIGTERM, 5.0),))
    yield made
    made.stop(lambda: True)


def launch_stubborn(program: Program, seconds: float) -> None:
    program.command, program.signals = [sys.executable, "-c", STUBBORN], ((signal.SIGTERM, seconds),)
    program.launch()
    assert eventually((program.cwd / "deaf").exists)


def pid_of(program: Program) -> int:
    assert program.process is not None
    return program.process.pid


def test_it_works(program: Program) -> None:
    child = Child("sleeper", program)
    child.start(10.0)
    assert (child.status(), child.died(11.0), child.due(11.0)) == (None, None, False)
    os.kill(pid_of(program), signal.SIGKILL)
    assert eventually(lambda: child.status() is not None)
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
        assert eventually(lambda: child.status() is not None)
        child.died(now)
        assert child.due_at == due_at


def test_stubborn_program_is_killed_when_its_time_is_up(program: Program) -> None:
    launch_stubborn(program, 0.2)
    program.stop()
    assert program.process is not None
    assert program.process.returncode == -signal.SIGKILL


def test_hurry_does_not_wait(program: Program) -> None:
    launch_stubborn(program, 60.0)
    before = time.monotonic()
    program.stop(lambda: True)
    assert time.monotonic() - before < 30.0


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are listed on Linux only")
def test_children_of_a_killed_program_end_before_it_is_launched_again(program: Program) -> None:
    program.command = [sys.executable, "-c", PARENT]
    program.launch()
    assert eventually(lambda: len(children_of(pid_of(program))) == 1)
    (orphan,) = children_of(pid_of(program))
    os.kill(pid_of(program), signal.SIGKILL)
    assert eventually(lambda: program.process is not None and program.process.poll() is not None)
    program.launch()
    assert eventually(lambda: not orphan.alive())


def test_identity_tells_a_process_from_a_later_one_with_its_pid() -> None:
    who = own_identity()
    assert who == identify(os.getpid())
    assert who.alive()
    assert not Identity(who.pid, who.started - 1).alive()
    assert identify(0) is None
