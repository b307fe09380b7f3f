"""The client with a folder of its own, against a server that really listens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.client.sessions import lines

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

    from continuity.client.client import Client
    from continuity.models import Team


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's home, and no key."""
    for name in ("CONTINUITY_API_KEY", "CONTINUITY_URL", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "CONTINUITY_SPOOL_MB", "CONTINUITY_HOOK_MS"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("CONTINUITY_HOME", str(folder / ".continuity"))
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def server(transactional_db: None, team: Team, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> LiveServer:
    """The server, with a key for it in the environment."""
    from continuity.services.accounts import apikeys

    monkeypatch.setenv("CONTINUITY_URL", live_server.url)
    monkeypatch.setenv("CONTINUITY_HOOK_MS", "60000")  # How fast this machine is, is not what is tested.
    monkeypatch.setenv("CONTINUITY_API_KEY", apikeys.issue(team=team, name="client")[1])
    return live_server


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs `continuity` with these words: its exit code, and what it printed on either side."""
    from continuity.client.main import main

    def run(*words: str) -> tuple[int, str, str]:
        code = main(words)
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


@pytest.fixture
def tide_session(tmp_path: Path) -> Path:
    """A short session of this folder, with a rule in it."""
    path = tmp_path / "s1.jsonl"
    rule = "Please build the tide page. Never publish a tide table in feet, always in metres."
    path.write_bytes(lines("s1", 1, 6, n1=rule).replace(b"/srv/tides", str(Path.cwd()).encode()))
    return path


@pytest.fixture
def client(server: LiveServer) -> Client:
    from continuity.client.client import Client

    return Client()
