"""`continuity start` with the tools themselves, in a terminal: the handoff's words are the first that the model is asked with.

They run where `CONTINUITY_TOOLS` names a folder with their programs.
"""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from continuity.client.client import Client
from continuity.client.main import DONE
from tests.client.hooked import PROGRAM, record_all
from tests.platform.running import eventually
from tests.tools.conftest import RULE, Said, last_words
from tests.tools.model import Model
from tests.tools.test_other_tools import REAL, TOOLS

pytestmark = [pytest.mark.processes, pytest.mark.skipif(not TOOLS, reason="CONTINUITY_TOOLS names no folder of tools")]

OPTIONS = {"gemini": ("gemini-cli", ["--skip-trust", "-m", "gemini-2.5-flash"]), "codex": ("codex", ["--dangerously-bypass-hook-trust"])}


@contextmanager
def in_a_terminal(*words: str, cwd: Path) -> Iterator[bytearray]:
    """The program in a terminal of its own, and what it draws; it is ended behind."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    env = {**os.environ, "PWD": str(cwd), "TERM": "xterm-256color"}
    running = subprocess.Popen(words, stdin=its, stdout=its, stderr=its, cwd=cwd, env=env, start_new_session=True)
    os.close(its)
    drawn = bytearray()

    def read() -> None:
        try:
            while some := os.read(ours, 65536):
                drawn.extend(some)
        except OSError:
            return  # The terminal is gone with its last program.

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        yield drawn
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        reader.join(10)
        os.close(ours)


@pytest.mark.parametrize("program", sorted(OPTIONS))
def test_it_works(
    program: str,
    project: Path,
    home: Path,
    model: Model,
    client: Client,
    said: Said,
    tide_session: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name, options = OPTIONS[program]
    made = client.prepare(record_all(tide_session).conversation)
    REAL[name].ready(home, model.url, monkeypatch)
    monkeypatch.setenv("PATH", f"{TOOLS}:{os.environ['PATH']}")
    assert said("install", name, "--yes")[0] == DONE
    with in_a_terminal(sys.executable, "-IS", str(PROGRAM), "start", program, made["id"], "--", *options, cwd=project) as drawn:
        asked = eventually(lambda: any({"messages", "input", "contents"} & set(each) for each in model.asked), seconds=90)
        assert asked, drawn[-4000:].decode(errors="replace")
        assert RULE in last_words(model), drawn[-4000:].decode(errors="replace")
        assert client.handoff(made["id"])["status"] == "resumed"
        [opened] = [each for each in client.conversations() if each["id"] != made["conversation_id"]]
        assert opened["source_tool"] == name
        recorded = eventually(lambda: client.conversation(opened["id"])["message_count"] >= 2, seconds=60)
        assert recorded, "what is said in the tool is recorded where the handoff was resumed"
        assert len(client.conversations()) == 2
