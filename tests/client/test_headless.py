"""A session without a person leaves the folder's handoff to the person's next one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from continuity.client.client import Client
from tests.client.hooked import hook, occupy, record_all
from tests.client.sessions import CWD, lines

RULE = "Never publish a tide table in feet, always in metres."
CODEX = {"type": "session_meta", "payload": {"id": "r2", "cwd": CWD, "originator": "codex_exec", "source": "exec"}}


@pytest.fixture
def session(tmp_path: Path, client: Client) -> Iterator[Callable[[str], Path]]:
    """Session files that somebody records already, so that no hook starts a recorder that outlives the test."""
    claim = occupy()
    yield lambda name: tmp_path / f"{name}.jsonl"
    claim.release()


@pytest.fixture
def ready(session: Callable[[str], Path], client: Client) -> str:
    """A handoff that is ready in the folder."""
    path = session("s1")
    path.write_bytes(lines("s1", 1, 4, n1=f"Please build the tide page. {RULE}"))
    return str(client.prepare(record_all(path).conversation)["id"])


@pytest.mark.parametrize("entry", ["sdk-cli", "sdk-py", "sdk-ts", "claude-code-github-action"])
def test_it_works(ready: str, session: Callable[[str], Path], client: Client, entry: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", entry)
    assert hook("SessionStart", session("s2"), source="startup") == ""
    assert hook("UserPromptSubmit", session("s2"), prompt="Write the commit message.") == ""
    assert client.handoffs(cwd=CWD)[0]["status"] == "ready"

    monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", "cli")
    assert RULE in hook("SessionStart", session("s3"), source="startup"), "the person's next session gets it"


def test_codex_exec_takes_none_either(ready: str, session: Callable[[str], Path], client: Client) -> None:
    path = session("rollout-2026-01-02T10-00-00-r2")
    path.write_text(json.dumps(CODEX, separators=(",", ":")) + "\n")
    assert hook("SessionStart", path, source="startup") == ""
    assert client.handoffs(cwd=CWD)[0]["status"] == "ready"

    person = session("rollout-2026-01-02T11-00-00-r3")
    person.write_text(json.dumps({**CODEX, "payload": {"id": "r3", "originator": "codex_cli_rs", "source": "cli"}}, separators=(",", ":")))
    assert RULE in hook("SessionStart", person, source="startup")


def test_a_pipeline_may_be_told_to_go_on(ready: str, session: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
    monkeypatch.setenv("CONTINUITY_HEADLESS", "take")
    assert RULE in hook("SessionStart", session("s2"), source="startup")
