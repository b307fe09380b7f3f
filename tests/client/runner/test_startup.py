"""When a program that says nothing of itself has begun."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from continuity.client.runner import startup
from continuity.client.runner.startup import Startup
from tests.platform.running import eventually

pytestmark = pytest.mark.processes

BUSY = "import sys\nprint(flush=True)\nwhile True: pass"
RESTING = "import time; print(flush=True); time.sleep(600)"
WAITING_FOR_A_BUSY_ONE = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BUSY!r}])"


@pytest.fixture
def started() -> Iterator[Callable[[str], int]]:
    processes = []

    def start(program: str) -> int:
        process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, process_group=0)
        processes.append(process)
        assert process.stdout is not None
        process.stdout.readline()
        return process.pid

    yield start
    for process in processes:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def over(pid: int, *, after: float, wait: float = 2.0) -> bool:
    """Whether the start is over so many seconds later, asked four times a second."""
    watched = Startup(pid, 0.0, wait)
    return [watched.is_over(number / 4) for number in range(int(after * 4) + 1)][-1]


def test_it_works(started) -> None:
    resting = started(RESTING)
    assert eventually(lambda: over(resting, after=2.0), 10)
    assert not over(resting, after=1.75)


@pytest.mark.parametrize("program", [BUSY, WAITING_FOR_A_BUSY_ONE])
def test_what_is_at_work_has_not_begun(started, program) -> None:
    busy = started(program)
    assert not over(busy, after=startup.LONGEST_SECONDS - 0.25), "it may be in the midst of an import"
    assert over(busy, after=startup.LONGEST_SECONDS), "but the server does not wait for ever"


def test_one_that_is_known_to_say_nothing_is_not_waited_for(started) -> None:
    assert over(started(BUSY), after=0.0, wait=0.0)


def test_it_is_no_rest_where_a_start_pauses_for_a_moment(monkeypatch) -> None:
    seen = iter("RRRRSRRRRSSRRSRSSSS")
    monkeypatch.setattr(startup, "family", lambda pid: [pid])
    monkeypatch.setattr(startup, "status_of", lambda pid: next(seen))
    watched = Startup(1, 0.0, 2.0)
    assert [watched.is_over(number / 4) for number in range(19)] == [False] * 18 + [True]


def test_a_long_import_is_not_called_ready(runners, server) -> None:
    """The runner gives a greeting half a second here: what is published to a program that is called ready is not lost before it listens."""
    runners.agent("late", "late")
    assert server.eventually("late", lambda found: found.readied), runners.told("late")
    server.publish("task:one")
    assert server.eventually("late", lambda found: found.state), runners.told("late")
    time.sleep(1)
    assert len(server.agent("late").readied) == 1
