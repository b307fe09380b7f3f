"""Claude Code itself, with hooks or the plugin, against a model server on loopback: recorded, told, resumed.

It runs where `CONTINUITY_CLAUDE` names a `claude`, such as `node_modules/.bin/claude` of `npm install @anthropic-ai/claude-code`.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from continuity.client.client import Client
from continuity.client.main import DONE
from tests.platform.running import eventually
from tests.tools.conftest import RULE, fullness, last_words, recorded
from tests.tools.model import SAID, Model

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

CLAUDE = os.environ.get("CONTINUITY_CLAUDE", "")

pytestmark = [pytest.mark.processes, pytest.mark.skipif(not CLAUDE, reason="CONTINUITY_CLAUDE names no claude")]
Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def claude(model: Model, server: LiveServer, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Says something to Claude Code in a project; answers what came out."""
    (home / ".claude").mkdir()
    monkeypatch.setenv("PATH", f"{Path(CLAUDE).absolute().parent}:{os.environ['PATH']}")
    quiet = {
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_ERROR_REPORTING": "1",
    }
    for name, value in {**quiet, "ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "sk-ant-none"}.items():
        monkeypatch.setenv(name, value)

    def say(*words: str) -> Any:
        done = subprocess.run(
            [CLAUDE, *words], text=True, capture_output=True, cwd=project, timeout=120, check=False, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return say


@pytest.mark.parametrize("how", [[], ["--plugin"]], ids=["settings", "plugin"])
def test_it_works(
    how: list[str], claude: Callable[..., Any], model: Model, client: Client, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said("install", "claude-code", "--yes", *how)[0] == DONE
    assert SAID in claude("-p", f"Please build the tide page. {RULE}")
    assert eventually(lambda: recorded(client, 1))
    [conversation] = client.conversations()
    assert conversation["cwd"].endswith("/tides")
    words = [json.dumps(message) for message in client.messages(conversation["id"])]
    assert sum(RULE in each for each in words) == 1, "once, and not twice"
    assert any(SAID in each for each in words)
    made = client.prepare(conversation["id"])
    monkeypatch.setenv("CONTINUITY_HEADLESS", "take")
    claude("-p", "Go on.")
    assert RULE in last_words(model), "the next session begins with what was handed over"
    assert client.handoff(made["id"])["status"] == "resumed"
    assert eventually(lambda: recorded(client, 2))


def test_it_warns_where_the_window_is_nearly_full(claude: Callable[..., Any], model: Model, client: Client, said: Said, home: Path) -> None:
    assert said("install", "claude-code", "--yes")[0] == DONE
    model.used = 156_000
    claude("-p", "--model", "claude-sonnet-4-5", "Please build the tide page.")
    assert eventually(lambda: any(fullness(path) > 0.75 for path in home.glob(".continuity/files/*.json")), seconds=60)
    claude("-p", "--model", "claude-sonnet-4-5", "-c", "Go on.")
    assert "% full" in last_words(model)
    assert eventually(lambda: client.conversations()[0]["message_count"] >= 4, seconds=60)


def test_the_plugin_is_one_that_claude_code_takes_whole(claude: Callable[..., Any], said: Said, home: Path, model: Model) -> None:
    assert said("install", "claude-code", "--yes", "--plugin")[0] == DONE
    assert "continuity@continuity" in claude("plugin", "list")
    claude("plugin", "validate", str(home / ".continuity" / "claude-marketplace" / "plugin"))
    told = claude("mcp", "list")
    assert "continuity" in told
    assert "Connected" in told
    claude("-p", "Hello")
    given = last_words(model)
    assert "continuity:handoff" in given, "its commands are there"
    assert "continuity:continuity" in given, "its skill is there"
    assert "hooks in the settings" not in said("doctor")[1]
    assert said("uninstall", "claude-code", "--yes", "--plugin")[0] == DONE
    assert "continuity@continuity" not in claude("plugin", "list")


def test_the_settings_take_no_hooks_beside_the_plugin(claude: Callable[..., Any], said: Said) -> None:
    assert said("install", "claude-code", "--yes", "--plugin")[0] == DONE
    status, _, told = said("install", "claude-code", "--yes")
    assert status != DONE
    assert "has the plugin, whose hooks are the same" in told
