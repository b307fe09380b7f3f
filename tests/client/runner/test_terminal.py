"""An agent on a terminal: it reads the keys, Ctrl-C is its own, and Ctrl-Z stops the runner with it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.platform.running import PROJECT, eventually

pytestmark = pytest.mark.processes

SCRIPT = """
trap 'echo interrupted' INT
echo begun
while read line; do echo "got $line"; [ "$line" = end ] && exit 7; done
"""


class Terminal:
    """What stands on it, and the keys."""

    def __init__(self, process: subprocess.Popen[bytes], shown: Path) -> None:
        self.process, self._shown = process, shown

    def press(self, keys: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(keys)
        self.process.stdin.flush()

    def shows(self, words: str) -> bool:
        return eventually(lambda: words in self._shown.read_text(errors="replace"), 20)

    def runner(self) -> int:
        pid = self.process.pid
        return int(Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()[0])


@pytest.fixture
def terminal(runners, tmp_path) -> Iterator[Callable[..., Terminal]]:
    opened: list[subprocess.Popen[bytes]] = []

    def run(*options: str) -> Terminal:
        words = [sys.executable, "-m", "continuity.client", "agent", "run", "--name", "tool", *options, "--", "sh", "-c", SCRIPT]
        # The code of a shell that ends as the runner does.
        spawn = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
        shown = tmp_path / "shown"
        with shown.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-c", spawn, *words], cwd=PROJECT, env=runners.env, stdin=subprocess.PIPE, stdout=output, stderr=output
            )
        opened.append(process)
        return Terminal(process, shown)

    yield run
    for process in opened:
        assert process.stdin is not None
        process.stdin.close()
        process.kill()
        process.wait()


def test_it_works(server, terminal):
    screen = terminal()
    assert screen.shows("begun")
    screen.press(b"hello\n")
    assert screen.shows("got hello")
    screen.press(b"end\n")
    assert server.eventually("tool", lambda found: found.deaths)
    assert server.agent("tool").deaths[0]["exit_code"] == 7
    assert server.eventually("tool", lambda found: found.epoch == 3 and found.readied)
    screen.press(b"again\n")
    assert screen.shows("got again")
    screen.press(b"\x03")  # The agent's business, not the runner's.
    assert screen.shows("interrupted")
    assert screen.process.poll() is None


def test_a_tool_that_its_person_ends_badly_does_not_hold_the_terminal(server, terminal):
    server.then = "none"
    screen = terminal("--strategy", "alert")
    assert screen.shows("begun")
    screen.press(b"end\n")
    assert screen.process.wait(20) == 7


def test_a_person_may_stop_it_and_go_on(server, terminal):
    screen = terminal()
    assert screen.shows("begun")
    runner = screen.runner()
    screen.press(b"\x1a")
    assert eventually(lambda: Path(f"/proc/{runner}/stat").read_text().rpartition(")")[2].split()[0] == "T", 10)
    os.kill(runner, signal.SIGCONT)
    screen.press(b"hello\n")
    assert screen.shows("got hello")
