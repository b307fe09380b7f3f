"""A tool that does not answer a probe while its session shows that it works is left alone; one that is stopped is not."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from continuity.client import places
from continuity.client.light.live_sessions import AGENT_SESSION
from continuity.client.runner import sessions
from tests.client.runner.test_keeping import ready
from tests.platform.running import eventually

CLAUDE = {
    "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make test"}}]}
}
CLAUDES_RESULT = {"message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]}}
CODEX = {"type": "response_item", "payload": {"type": "function_call", "call_id": "c1", "name": "shell", "arguments": "{}"}}
CODEX_RESULT = {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "c1", "output": "ok"}}
SAID = {"message": {"role": "assistant", "content": [{"type": "text", "text": "I wait for tool_use and function_call."}]}}


def session(folder: Path, *records: object, age: float = 60) -> Path:
    """Names the file of these records as the session of the agent in `folder`; it was written `age` seconds ago."""
    path = folder / "session.jsonl"
    path.write_text("\n".join([*(json.dumps(record) for record in records), '{"cut": ']))
    os.utime(path, (time.time() - age, time.time() - age))
    places.write(folder / AGENT_SESSION, json.dumps({"path": str(path)}))
    return path


@pytest.mark.processes
def test_it_works(server, runners):
    """Ten minutes within one call: the probe fails, and the tool goes on; once the call is over it has to answer."""
    runner = runners.agent("noted", "calling", options=("--probe", "false"))
    assert ready(server, "noted"), runners.told("noted")
    assert eventually((runners.home / "called").exists), "it is within its call"
    agent, child = server.agent("noted"), runners.child_of(runner)
    id = agent.order("probe")
    assert server.eventually("noted", lambda found: any(beat.get("probe") == {"id": id, "ok": True} for beat in found.beats))
    assert agent.deaths == []
    assert runners.child_of(runner) == child
    session(runners.home, CLAUDE, CLAUDES_RESULT)
    agent.order("probe")
    assert server.eventually("noted", lambda found: found.deaths), runners.told("noted")
    assert agent.deaths[0]["cause"] == "zombie"


@pytest.mark.parametrize(
    ("records", "age", "works"),
    [
        ([SAID], 1, True),
        ([SAID], 60, False),
        ([CLAUDE], 600, True),
        ([CLAUDE, CLAUDES_RESULT], 600, False),
        ([CLAUDE, CLAUDES_RESULT, CODEX], 600, True),
        ([CODEX, CODEX_RESULT], 600, False),
        ([CLAUDE], 3600, False),
        ([["tool_use"], {"message": {"content": ["tool_use", {"type": ["tool_use"]}]}}, {"payload": "tool_use"}], 600, False),
    ],
    ids=["grows", "rests", "calls a tool", "has its result", "calls another", "has that one's", "an hour ago", "odd records"],
)
def test_what_a_session_shows(tmp_path: Path, records: list[object], age: float, works: bool) -> None:
    session(tmp_path, *records, age=age)
    assert sessions.is_working(tmp_path, time.time() - 30) is works


def test_without_a_session_nothing_is_shown(tmp_path: Path) -> None:
    assert not sessions.is_working(tmp_path, 0)
    session(tmp_path, CLAUDE).unlink()
    assert not sessions.is_working(tmp_path, 0)


@pytest.mark.processes
def test_one_that_is_stopped_within_a_call_is_a_zombie(server, runners):
    runner = runners.agent("noted", "calling", options=("--probe", "false"))
    assert ready(server, "noted"), runners.told("noted")
    assert eventually((runners.home / "called").exists), "it is within its call"
    os.kill(runners.child_of(runner), signal.SIGSTOP)
    server.agent("noted").order("probe")
    assert server.eventually("noted", lambda found: found.deaths), runners.told("noted")
    assert server.agent("noted").deaths[0]["cause"] == "zombie"
