"""What `continuity doctor` says of hooks: whether the tool runs them, and which faults are recent."""

from __future__ import annotations

import os
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from continuity.client import places
from continuity.client.commands.access import hook_findings
from continuity.client.main import main
from continuity.client.setup import codex_hooks

ANSWER = """#!{python}
import json, sys
for line in sys.stdin:
    call = json.loads(line)
    if call.get("method") == "hooks/list":
        hooks = [{{"command": "/x/continuity hook", "enabled": True, "trustStatus": "{status}"}}]
        hooks.append({{"command": "/y/other", "trustStatus": "untrusted"}})
        print(json.dumps({{"id": call["id"], "result": {{"data": [{{"hooks": hooks}}]}}}}), flush=True)
    elif "id" in call:
        print(json.dumps({{"id": call["id"], "result": {{}}}}), flush=True)
"""


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs with nothing of Codex in it."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")
    return folder


def codex(folder: Path, text: str) -> None:
    program = folder / "codex"
    program.write_text(text)
    program.chmod(0o755)


def said_of(name: str) -> hook_findings.Finding:
    return next(each for each in hook_findings.of_tools() if each.subject == name)


def installed(home: Path) -> None:
    main(["install", "codex", "--yes"])
    (home / ".codex" / "sessions").mkdir()


def test_it_works(home: Path, path: Path) -> None:
    installed(home)
    codex(path, ANSWER.format(python=sys.executable, status="trusted"))
    assert said_of("codex") == hook_findings.Finding("codex", "hooks installed")


@pytest.mark.parametrize("status", ["untrusted", "modified"])
def test_hooks_that_codex_does_not_run_are_told(home: Path, path: Path, status: str) -> None:
    installed(home)
    codex(path, ANSWER.format(python=sys.executable, status=status))
    told = said_of("codex")
    assert "nothing is recorded" in told.said
    assert "/hooks" in told.mend


@pytest.mark.parametrize("text", ["#!/bin/sh\nexit 1\n", "#!/bin/sh\necho nonsense\nsleep 60\n", "no program at all"])
def test_a_codex_that_does_not_answer_leaves_its_settings(home: Path, path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codex_hooks, "ANSWER_SECONDS", 0.5)
    installed(home)
    codex(path, text)
    assert codex_hooks.trust() == "untrusted"
    state = f'[hooks.state."{home}/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:00"\n'
    (home / ".codex" / "config.toml").write_text(state)
    assert codex_hooks.trust() == "unknown"
    assert "could not be asked" in said_of("codex").said


def test_settings_that_can_t_be_read_are_a_finding(home: Path) -> None:
    (home / ".codex" / "sessions").mkdir(parents=True)
    (home / ".codex" / "hooks.json").write_text("{")
    assert "no JSON" in said_of("codex").said


def test_faults_grow_old(home: Path) -> None:
    log = places.home() / "hooks.log"
    now = datetime.now().astimezone()
    old, fresh = (f"{when:%Y-%m-%d %H:%M:%S}" for when in (now - timedelta(days=3), now - timedelta(minutes=5)))
    log.write_text(f"{old} KeyError: x\n")
    (found,) = hook_findings.of_hooks()
    assert (found.said, found.mend) == (f"no fault since {old}", "")
    log.write_text(f"{old} KeyError: x\n{fresh} KeyError: x\n{fresh} KeyError: y\n{fresh} NoAnswer: Connection refused\n")
    (found,) = hook_findings.of_hooks()
    assert found.said == f"2 faults in the last 24 hours, the last: {fresh} KeyError: y"
    assert found.mend
    log.write_text(f"{fresh} NoAnswer: Connection refused\n{fresh} Refusal: This client has version 0.0.9\n")
    assert hook_findings.of_hooks() == [], "a server that was away, or refused, is no fault of the hooks"
