"""`continuity start`: a tool that goes on from a handoff, in one step."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from continuity.client.client import Client
from continuity.client.main import DONE, FAILED, USAGE
from tests.client.hooked import PROGRAM, record_all

RULE = "Never publish a tide table in feet, always in metres."


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Tools that write down how they were called."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in ("claude", "codex", "gemini"):
        script = (
            f"#!{sys.executable}\nimport json, sys\njson.dump(sys.argv[1:], open({str(tmp_path / 'called.json')!r}, 'w'))\nsys.exit(7)\n"
        )
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def start(*words: str) -> tuple[int, str]:
    ended = subprocess.run([sys.executable, "-IS", str(PROGRAM), "start", *words], text=True, capture_output=True, check=False)
    return ended.returncode, ended.stderr


def called(tmp_path: Path) -> Any:
    return json.loads((tmp_path / "called.json").read_text())


@pytest.mark.parametrize(("tool", "before"), [("claude", []), ("codex", []), ("gemini", ["--prompt-interactive"])])
def test_it_works(tool: str, before: list[str], tools: Path, tmp_path: Path, tide_session: Path, client: Client) -> None:
    made = client.prepare(record_all(tide_session).conversation)
    code, told = start(tool, "--", "--model", "x")
    assert code == 7, "the code is the tool's"
    assert f"resumed {made['id']}" in told
    *options, directive = called(tmp_path)
    assert options == ["--model", "x", *before]
    assert RULE in directive
    assert not directive.startswith("-")
    assert client.handoff(made["id"])["status"] == "resumed"


def test_where_nothing_is_ready_it_starts_anew(tools: Path, tmp_path: Path, client: Client) -> None:
    code, told = start("claude")
    assert (code, called(tmp_path)) == (7, [])
    assert "Starting anew." in told


def test_a_handoff_that_is_named_and_not_there_starts_nothing(tools: Path, tmp_path: Path, client: Client) -> None:
    assert start("claude", "00000000-0000-4000-8000-000000000000")[0] == FAILED
    assert not (tmp_path / "called.json").exists()


def test_a_tool_that_is_not_here_takes_no_handoff(
    tmp_path: Path, tide_session: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = client.prepare(record_all(tide_session).conversation)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    code, told = start("codex")
    assert (code, told) == (FAILED, "continuity: codex is not in your PATH\n")
    assert client.handoff(made["id"])["status"] == "ready"
    assert start("vim")[0] == USAGE
    assert start("--help")[0] == DONE
