"""Codex, Gemini CLI, OpenCode and Copilot CLI themselves, against a model server on loopback: recorded, resumed, left as they were.

They run where `CONTINUITY_TOOLS` names a folder with their programs, such as `node_modules/.bin` of `npm install @openai/codex
@google/gemini-cli opencode-ai @github/copilot`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from continuity.client.client import Client
from continuity.client.main import DONE
from tests.platform.running import eventually
from tests.tools.conftest import RULE, Said, fullness, last_words, recorded, say, whole_words
from tests.tools.model import SAID, Model

TOOLS = os.environ.get("CONTINUITY_TOOLS", "")

pytestmark = [pytest.mark.processes, pytest.mark.skipif(not TOOLS, reason="CONTINUITY_TOOLS names no folder of tools")]


class RealTool(NamedTuple):
    """`words` is what a prompt is given with, `again` the next one of the same session; `ready` makes the tool ask the model on loopback.

    `near` is a number of tokens that fills most of its window, but not so much of it that the tool compacts.
    """

    program: str
    words: tuple[str, ...]
    again: tuple[str, ...]
    near: int
    ready: Callable[[Path, str, pytest.MonkeyPatch], None]


def codex(home: Path, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = home / ".codex"
    place.mkdir()
    provider = f'[model_providers.here]\nname = "here"\nbase_url = "{model}/v1"\nwire_api = "responses"\n'
    (place / "config.toml").write_text(f'# mine\nmodel = "gpt-5"\nmodel_provider = "here"\n\n{provider}')


def gemini(home: Path, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text('{\n  // mine\n  "security": {"auth": {"selectedType": "gemini-api-key"}}\n}\n')
    for name, value in {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": model}.items():
        monkeypatch.setenv(name, value)


def copilot(home: Path, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".copilot").mkdir()
    told = {"OFFLINE": "true", "PROVIDER_BASE_URL": model, "PROVIDER_TYPE": "anthropic", "PROVIDER_API_KEY": "none"}
    for name, value in {**told, "MODEL": "claude-sonnet-4.5"}.items():
        monkeypatch.setenv(f"COPILOT_{name}", value)


def opencode(home: Path, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = home / ".config" / "opencode"
    place.mkdir(parents=True)
    schema = "https://opencode.ai/config.json"  # It writes this itself where it is missing.
    settings = {
        "$schema": schema,
        "model": "anthropic/claude-sonnet-4-5",
        "small_model": "anthropic/claude-sonnet-4-5",
        "autoupdate": False,
    }
    provider = {"anthropic": {"options": {"baseURL": f"{model}/v1", "apiKey": "none"}}}
    (place / "opencode.json").write_text(json.dumps({**settings, "provider": provider}, indent=2))
    for name, value in {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"}.items():
        monkeypatch.setenv(name, value)
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.delenv(f"XDG_{name}_HOME", raising=False)


CODEX = ("exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust")
GEMINI = ("--skip-trust", "-m", "gemini-2.5-flash")
REAL = {
    "codex": RealTool("codex", CODEX, (*CODEX, "resume", "--last"), 210_000, codex),
    "gemini-cli": RealTool("gemini", (*GEMINI, "-p"), (*GEMINI, "-r", "latest", "-p"), 830_000, gemini),
    "copilot-cli": RealTool("copilot", ("--allow-all-tools", "-p"), ("--allow-all-tools", "--continue", "-p"), 156_000, copilot),
    "opencode": RealTool("opencode", ("run",), ("run", "-c"), 156_000, opencode),
}


def files_of(home: Path, kinds: tuple[str, ...] = (".json", ".jsonc", ".toml", ".js")) -> dict[str, bytes]:
    """The settings of all tools."""
    places = (home / ".codex", home / ".gemini", home / ".copilot", home / ".config" / "opencode")
    found = [path for place in places for path in place.glob("*") if path.suffix in kinds]
    return {str(path): path.read_bytes() for path in found}


@pytest.mark.parametrize("name", sorted(REAL))
def test_it_works(name: str, project: Path, home: Path, model: Model, client: Client, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = REAL[name]
    tool.ready(home, model.url, monkeypatch)
    before = files_of(home)
    monkeypatch.setenv("PATH", f"{TOOLS}:{os.environ['PATH']}")
    status, told, errors = said("install", name, "--mcp", "--yes")
    assert (status, errors) == (DONE, ""), told
    program = f"{TOOLS}/{tool.program}"
    assert SAID in say(program, *tool.words, f"Please build the tide page. {RULE}", cwd=project)
    assert eventually(lambda: recorded(client, 1), seconds=60)
    [conversation] = client.conversations()
    assert (conversation["source_tool"], conversation["cwd"]) == (name, str(project))
    words = whole_words(client, conversation["id"])
    assert sum(RULE in each for each in words) == 1, "once, and not twice"
    assert any(SAID in each for each in words)

    made = client.prepare(conversation["id"])
    say(program, *tool.words, "Hello.", cwd=project)
    assert client.handoff(made["id"])["status"] == "ready", "nobody sits in front of it: the handoff waits for a person"
    monkeypatch.setenv("CONTINUITY_HEADLESS", "take")
    say(program, *tool.words, "Go on.", cwd=project)
    assert RULE in last_words(model), "the next session begins with what was handed over"
    assert client.handoff(made["id"])["status"] == "resumed"
    assert eventually(lambda: recorded(client, 3), seconds=60)
    next_one = client.conversations()[0]
    assert not any(
        RULE in part.get("text", "") and part.get("voice") == "person" for each in client.messages(next_one["id"]) for part in each["parts"]
    ), "what was handed over is nobody's request"

    assert said("doctor")[0] == DONE
    assert said("uninstall", name, "--yes")[0] == DONE
    after = files_of(home)
    assert {path: after.get(path) for path in before} == before
    assert not any(b"continuity" in text for text in after.values())


@pytest.mark.parametrize("name", sorted(REAL))
def test_it_warns_where_the_window_is_nearly_full(
    name: str, project: Path, home: Path, model: Model, client: Client, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = REAL[name]
    tool.ready(home, model.url, monkeypatch)
    monkeypatch.setenv("PATH", f"{TOOLS}:{os.environ['PATH']}")
    assert said("install", name, "--yes")[0] == DONE
    model.used = tool.near
    program = f"{TOOLS}/{tool.program}"
    say(program, *tool.words, "Please build the tide page.", cwd=project)
    assert eventually(lambda: any(fullness(path) > 0.75 for path in home.glob(".continuity/files/*.json")), seconds=60)
    say(program, *tool.again, "Go on.", cwd=project)
    assert "% full" in last_words(model)
    assert eventually(lambda: client.conversations()[0]["message_count"] >= 4, seconds=60)
