"""The time that a hook costs its tool: a process of its own, from start to end, with a server and without one."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from continuity.client import __main__ as program
from continuity.client.client import Client
from continuity.client.light import files
from continuity.client.recording.api_messages import as_request
from diagnostics.bench.dead_servers import SILENT, dead_servers
from diagnostics.bench.material import messages
from diagnostics.bench.rows import BenchRow, row

# One that takes the connection and never answers is waited for as long as one that is busy.
WARM_MS, DEAD_MS, SILENT_MS = 100.0, 150.0, 2_200.0
# Claude Code runs a status line often, and cancels one that is slow.
LINE_MS = 60.0
# Of the session whose handoff is ready where another one begins.
MESSAGES = 100
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


def with_server(url: str, key: str, n: int) -> Iterator[BenchRow]:
    """Every event `n` times against the server at `url`, and Python's own start beside them. A recorder is at work, as in a session."""
    yield from _rows("python -IS, nothing else", [_timed(["-c", "pass"], b"", {}) for _ in range(n)], None)
    with _session(url, key) as (env, payload):
        _hook("Stop", env, payload)  # Starts the recorder, once in a session.
        time.sleep(1)
        for event, more in EVENTS.items():
            yield from _rows(f"hook {event}, warm server", [_hook(event, env, {**payload, **more}) for _ in range(n)], WARM_MS)
        line = {**payload, "context_window": {"context_window_size": 200_000, "current_usage": {"input_tokens": 60_000}}}
        yield from _rows("status line", [_status_line(env, line) for _ in range(n)], LINE_MS)
    yield from _rows("hook SessionStart, a handoff is ready", [_resuming(url, key) for _ in range(n)], WARM_MS)


def without_server(n: int) -> Iterator[BenchRow]:
    """The events that ask the server `n` times, where it refuses, accepts and never answers, or swallows what is sent."""
    with ExitStack() as stack:
        for name, url in stack.enter_context(dead_servers()).items():
            env, payload = stack.enter_context(_session(url, "cont_bench"))
            _hook("Stop", env, payload)
            for event, more in ASKING.items():
                samples = [_hook(event, env, {**payload, **more}, anew=True) for _ in range(n)]
                yield from _rows(f"hook {event}, server {name}", samples, SILENT_MS if name == SILENT else DEAD_MS)
            samples = [_hook("SessionStart", env, {**payload, **ASKING["SessionStart"]}) for _ in range(n)]
            yield from _rows(f"hook SessionStart, server {name}, seconds later", samples, DEAD_MS)


def _resuming(url: str, key: str) -> Cost:
    """A session that begins where a handoff waits: the hook resumes it, and starts the recorder."""
    with _session(url, key) as (env, payload):
        client = Client(url, key)
        old = client.open(source_tool="claude-code", external_id=f"before {payload['cwd']}", cwd=payload["cwd"])
        client.append(old, [as_request(message) for message in messages(1, MESSAGES)])
        client.prepare(old)
        client.close()
        return _hook("SessionStart", env, {**payload, **EVENTS["SessionStart"], "session_id": Path(payload["cwd"]).name})


class Cost(NamedTuple):
    """Milliseconds from the start of a process to its end, and those of a processor that it took."""

    wall: float
    processor: float


def _rows(name: str, costs: Sequence[Cost], target_ms: float | None) -> Iterator[BenchRow]:
    """The time that passed, which is what a tool waits, and the processor's, which says the same on a busy machine."""
    yield row(name, [cost.wall for cost in costs], target_ms=target_ms)
    yield row(f"{name}: processor", [cost.processor for cost in costs])


def _timed(arguments: list[str], sent: bytes, env: Mapping[str, str]) -> Cost:
    """What one run of Python costs. Raises RuntimeError where it does not end well."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-IS", *arguments], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=env)
    if process.stdin is not None:
        process.stdin.write(sent)
        process.stdin.close()
    _, status, used = os.wait4(process.pid, 0)
    wall = (time.perf_counter() - started) * 1000
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{arguments} ended with {process.returncode}")
    return Cost(wall, (used.ru_utime + used.ru_stime) * 1000)


def _hook(event: str, env: Mapping[str, str], payload: Mapping[str, Any], *, anew: bool = False) -> Cost:
    """One hook; with `anew` as if none before it had waited for a dead server in vain."""
    if anew:
        shutil.rmtree(Path(env[files.HOME], "away"), ignore_errors=True)
    sent = json.dumps({**payload, "hook_event_name": event}).encode()
    return _timed([str(program.__file__), "hook"], sent, env)


def _status_line(env: Mapping[str, str], payload: Mapping[str, Any]) -> Cost:
    return _timed([str(program.__file__), "statusline"], json.dumps(payload).encode(), env)


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
            _end_recorder(folder)


def _end_recorder(folder: str) -> None:
    home = f"{files.HOME}={folder}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            ours = home in (process / "environ").read_bytes().split(b"\0")
            if ours and b"--recorder" in (process / "cmdline").read_bytes().split(b"\0"):
                os.kill(int(process.name), 15)
        except OSError:
            continue


def is_up(url: str) -> bool:
    parts = urlsplit(url)
    try:
        socket.create_connection((parts.hostname or "", parts.port or 80), timeout=1).close()
    except OSError:
        return False
    return True
