"""A process group ends with its first process, and no other group is ever meant."""

import os
import signal
import subprocess
import sys

from continuity.client.runner.machine import Claimed, began_at
from continuity.client.runner.processes import OwnedProcess
from tests.platform.running import eventually

# Starts another process, says which, and ends.
LEAVES = "import subprocess, sys; print(subprocess.Popen(['sleep', '3600'], stdout=subprocess.DEVNULL).pid, flush=True); sys.stdin.read()"


def test_it_works():
    ended: list[OwnedProcess] = []
    process = OwnedProcess(["sh", "-c", "exit 3"], os.environ, ended.append)
    assert eventually(lambda: ended == [process])
    assert (process.exit_code, process.running) == (3, False)


def test_what_it_started_is_gone_when_it_is_told_of(tmp_path):
    """Whoever is told may have to wait for a server that is away."""
    left = tmp_path / "left"
    told: list[int] = []
    script = f"sleep 3600 & echo $! > {left}; exit 0"
    OwnedProcess(["sh", "-c", script], os.environ, lambda process: told.append(int(left.read_text())))
    assert eventually(lambda: bool(told))
    assert eventually(lambda: not began_at(told[0]), 5)


def test_no_signal_goes_to_a_number_that_is_free(monkeypatch):
    ended: list[OwnedProcess] = []
    sent: list[int] = []
    process = OwnedProcess(["true"], os.environ, ended.append)
    assert eventually(lambda: bool(ended))

    def record(group, number):
        sent.append(number)
        raise ProcessLookupError

    monkeypatch.setattr(os, "killpg", record)
    process.signal(signal.SIGTERM)
    process.kill()
    assert [number for number in sent if number] == []


def test_a_group_is_ended_whose_first_process_waits_to_be_buried(home):
    """Its runner was killed, and then it ended: nobody has asked for its exit code yet."""
    first = subprocess.Popen([sys.executable, "-c", LEAVES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0)
    assert first.stdin is not None
    assert first.stdout is not None
    left = int(first.stdout.readline())
    claimed = Claimed("billing")
    claimed.note(first.pid)
    first.stdin.close()
    assert eventually(lambda: not began_at(first.pid))
    assert began_at(left)
    assert claimed.end_left_over()
    assert eventually(lambda: not began_at(left))
    claimed.release()
    first.wait()
    first.stdout.close()
