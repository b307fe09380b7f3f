"""What a hook costs the tool that waits for it: a process of its own, from its start to its end, with a server and without one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from continuity.client import __main__ as program
from diagnostics.bench.rows import Row, row

WARM_MS, DEAD_MS = 100.0, 150.0
EVENTS: Mapping[str, Mapping[str, Any]] = {
    "SessionStart": {"source": "startup"},
    "UserPromptSubmit": {"prompt": "Go on."},
    "PostToolUse": {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {}},
    "Stop": {},
    "SubagentStop": {},
    "SessionEnd": {"reason": "exit"},
}
# The ones that ask the server.
ASKING = {"SessionStart": {"source": "startup"}, "PreCompact": {"trigger": "auto"}}


def with_server(url: str, key: str, n: int) -> Iterator[Row]:
    """Every event `n` times against the server at `url`, and Python's own start beside them. A recorder is at work, as in a session."""
    yield row("python -IS, nothing else", [_timed(["-c", "pass"], b"", {}) for _ in range(n)])
    with _session(url, key) as (env, payload):
        _hook("Stop", env, payload)  # Starts the recorder, once in a session.
        time.sleep(1)
        for event, more in EVENTS.items():
            yield row(f"hook {event}, warm server", [_hook(event, env, {**payload, **more}) for _ in range(n)], target_ms=WARM_MS)


def without_server(n: int) -> Iterator[Row]:
    """The events that ask the server `n` times, where it refuses, accepts and never answers, or swallows what is sent."""
    with ExitStack() as stack:
        for name, url in stack.enter_context(_dead_servers()).items():
            env, payload = stack.enter_context(_session(url, "cont_bench"))
            _hook("Stop", env, payload)
            for event, more in ASKING.items():
                samples = [_hook(event, env, {**payload, **more}) for _ in range(n)]
                yield row(f"hook {event}, server {name}", samples, target_ms=DEAD_MS)


def _timed(arguments: list[str], sent: bytes, env: Mapping[str, str]) -> float:
    """Milliseconds from starting Python to its end. Raises CalledProcessError where it does not end well."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-IS", *arguments], input=sent, stdout=subprocess.DEVNULL, env=env, check=True)
    return (time.perf_counter() - started) * 1000


def _hook(event: str, env: Mapping[str, str], payload: Mapping[str, Any]) -> float:
    sent = json.dumps({**payload, "hook_event_name": event}).encode()
    return _timed([str(program.__file__), "hook"], sent, env)


@contextmanager
def _session(url: str, key: str) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """A session file in a home of its own; its recorder is ended afterwards."""
    with tempfile.TemporaryDirectory(prefix="continuity-bench-") as folder:
        path = Path(folder, "session.jsonl")
        said = {"type": "user", "uuid": "1", "sessionId": "bench", "cwd": folder, "message": {"role": "user", "content": "Draw the table."}}
        path.write_text(json.dumps(said) + "\n", encoding="utf-8")
        env = {"PATH": os.environ["PATH"], "HOME": folder, "CONTINUITY_HOME": folder, "CONTINUITY_URL": url, "CONTINUITY_API_KEY": key}
        try:
            yield env, {"session_id": "bench", "transcript_path": str(path), "cwd": folder}
        finally:
            _end_recorder(path)


def _end_recorder(path: Path) -> None:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(path).encode() in (process / "cmdline").read_bytes().split(b"\0"):
                os.kill(int(process.name), 15)
        except OSError:
            continue


@contextmanager
def _dead_servers() -> Iterator[dict[str, str]]:
    """Addresses of servers that are away in three ways, on loopback."""
    with ExitStack() as stack:

        def listening(backlog: int) -> int:
            server = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=backlog))
            return int(server.getsockname()[1])

        with socket.create_server(("127.0.0.1", 0)) as closed:
            refusing = int(closed.getsockname()[1])
        silent, swallowing = listening(1000), listening(0)
        for _ in range(4):  # A full queue: what comes now is dropped without an answer.
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(("127.0.0.1", swallowing))
        ports = {"refuses": refusing, "never answers": silent, "is a black hole": swallowing}
        yield {name: f"http://127.0.0.1:{port}" for name, port in ports.items()}


def is_up(url: str) -> bool:
    parts = urlsplit(url)
    try:
        socket.create_connection((parts.hostname or "", parts.port or 80), timeout=1).close()
    except OSError:
        return False
    return True
