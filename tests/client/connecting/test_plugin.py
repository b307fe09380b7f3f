"""The plugin for Claude Code: written whole, installed by Claude Code itself, never beside the hooks in the settings."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from continuity.client.client import Client
from continuity.client.hooks import dispatch
from continuity.client.main import DONE, FAILED
from continuity.client.setup import claude_plugin, hook_settings, launching, settings_files
from tests.client.hooked import answered, occupy, record_all
from tests.client.sessions import lines

Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def claude(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A claude that writes down what it is told, and refuses what REFUSED names."""
    (home / ".claude").mkdir()
    folder = tmp_path / "tools"
    folder.mkdir()
    kept = tmp_path / "told.jsonl"
    refusal = 'import os; w = sys.argv[1:]\nif os.environ.get("REFUSED", "-") in w: sys.exit("no such thing")\n'
    script = f"#!{sys.executable}\nimport json, sys\nopen({str(kept)!r}, 'a').write(json.dumps(sys.argv[1:]) + '\\n')\n{refusal}"
    (folder / "claude").write_text(script)
    (folder / "claude").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return kept


def told(kept: Path) -> list[list[str]]:
    return [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []


def enable(home: Path) -> None:
    (home / ".claude" / "settings.json").write_text(json.dumps({"enabledPlugins": {claude_plugin.FULL_NAME: True}}))


def test_it_works(claude: Path, home: Path, said: Said) -> None:
    status, output, errors = said("install", "claude-code", "--plugin", "--yes")
    assert (status, errors) == (DONE, "")
    place = home / ".continuity" / "claude-marketplace"
    assert "Written: ~/.continuity/claude-marketplace and ~/.claude/settings.json" in output
    name = claude_plugin.FULL_NAME
    steps = [["plugin", "marketplace", "add", str(place)], ["plugin", "uninstall", name], ["plugin", "install", name]]
    assert told(claude) == steps
    hooks = json.loads((place / "plugin" / "hooks" / "hooks.json").read_text())["hooks"]
    assert list(hooks) == list(hook_settings.EVENTS["claude-code"])
    assert hooks["Stop"][0]["hooks"][0]["command"] == launching.command()
    server = json.loads((place / "plugin" / ".mcp.json").read_text())["mcpServers"]["continuity"]
    assert [server["command"], *server["args"]] == [*launching.words(), "mcp"]
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    assert list(settings) == ["statusLine"], "a plugin can have none"


def test_the_hooks_in_the_settings_go(claude: Path, home: Path, said: Said) -> None:
    said("install", "claude-code", "--yes")
    assert said("install", "claude-code", "--plugin", "--yes")[0] == DONE
    path = home / ".claude" / "settings.json"
    assert settings_files.ours(json.loads(path.read_text())) == []


def test_the_settings_take_none_beside_it(claude: Path, home: Path, said: Said) -> None:
    enable(home)
    before = (home / ".claude" / "settings.json").read_bytes()
    status, _, errors = said("install", "claude-code", "--yes")
    assert (status, "has the plugin" in errors) == (FAILED, True)
    assert (home / ".claude" / "settings.json").read_bytes() == before


def test_it_is_taken_out_whole(claude: Path, home: Path, said: Said) -> None:
    (home / ".claude" / "settings.json").write_text('{"model": "opus"}\n')
    said("install", "claude-code", "--plugin", "--yes")
    claude.unlink()
    assert said("uninstall", "claude-code", "--plugin", "--yes")[0] == DONE
    assert told(claude) == [["plugin", "uninstall", claude_plugin.FULL_NAME], ["plugin", "marketplace", "remove", "continuity"]]
    assert not claude_plugin.folder().exists()
    assert (home / ".claude" / "settings.json").read_text() == '{"model": "opus"}\n'


def test_what_claude_code_refuses_is_told(claude: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFUSED", "install")
    status, _, errors = said("install", "claude-code", "--plugin", "--yes")
    assert (status, errors) == (FAILED, "continuity: Claude Code refused it: no such thing\n")


def test_without_claude_code_the_steps_are_told_and_its_hooks_stay(
    home: Path, said: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said("install", "claude-code", "--yes")
    before = (home / ".claude" / "settings.json").read_bytes()
    status, output, _ = said("install", "claude-code", "--plugin", "--yes")
    assert status == DONE
    assert f"claude plugin install {claude_plugin.FULL_NAME}" in output
    assert (home / ".claude" / "settings.json").read_bytes() == before, "else nothing would be recorded until the plugin is there"


def test_it_asks_first_and_is_for_claude_code_alone(claude: Path, said: Said) -> None:
    assert said("install", "claude-code", "--plugin")[0] == FAILED
    assert said("install", "codex", "--plugin", "--yes")[0] == FAILED
    assert said("install", "claude-code", "--plugin", "--project", "--yes")[0] == FAILED
    assert told(claude) == []


def test_what_changes_is_told_in_a_line(claude: Path, home: Path, said: Said) -> None:
    first = said("install", "claude-code", "--yes")[1].splitlines()[0]
    assert first.startswith("~/.claude/settings.json: puts in the hooks SessionStart, ")
    assert first.endswith(" and puts in the status line")
    last = said("uninstall", "claude-code", "--yes")[1].splitlines()[0]
    assert last == "~/.claude/settings.json: takes out the hooks and takes out the status line"


def test_the_plugin_tells_each_change_before_it_asks(claude: Path, home: Path, said: Said) -> None:
    said("install", "claude-code", "--yes")
    status, output, errors = said("install", "claude-code", "--plugin")
    plugin = "the plugin, 8 files: the hooks, the MCP server, three commands and a skill"
    assert (status, errors) == (FAILED, "continuity: nothing was written; --yes writes without asking\n")
    assert output.splitlines() == [
        f"~/.continuity/claude-marketplace: puts in {plugin}",
        f"Claude Code: installs the plugin {claude_plugin.FULL_NAME} from there",
        "~/.claude/settings.json: takes out the hooks",
    ]
    diff = said("install", "claude-code", "--plugin", "--diff")[1]
    assert f"+++ {home}/.continuity/claude-marketplace/plugin/.mcp.json" in diff
    assert f"--- {home}/.claude/settings.json" in diff
    assert told(claude) == []
    assert not claude_plugin.folder().exists()
    said("install", "claude-code", "--plugin", "--yes")
    claude.unlink()
    status, output, _ = said("uninstall", "claude-code", "--plugin")
    assert (status, output.splitlines()[0]) == (FAILED, f"~/.continuity/claude-marketplace: removes {plugin}")
    assert told(claude) == [], "nothing is taken out before somebody agreed"
    assert claude_plugin.folder().exists()


def test_doctor_tells_of_hooks_that_are_there_twice(claude: Path, home: Path, said: Said) -> None:
    (home / ".claude" / "projects").mkdir()
    enable(home)
    assert "the plugin is installed, with the hooks" in said("doctor")[1]
    (home / ".claude" / "settings.json").unlink()
    said("install", "claude-code", "--yes")
    path = home / ".claude" / "settings.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"enabledPlugins": {claude_plugin.FULL_NAME: True}}))
    assert "hooks in the settings and in the plugin" in said("doctor")[1]


def test_the_same_event_resumes_once(tmp_path: Path, client: Client) -> None:
    """Where both are there all the same: the second answer would take the folder's next handoff."""
    for name in ("s1", "s2"):
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(lines(name, 1, 4))
        client.prepare(record_all(path).conversation)
    claim = occupy()
    first, second = (answered("SessionStart", tmp_path / "s3.jsonl", source="startup") for _ in range(2))
    claim.release()
    assert first != ("", "")
    assert second == ("", "")
    assert sorted(each["status"] for each in client.handoffs()) == ["ready", "resumed"]


def test_the_hooks_in_the_settings_go_also_without_a_status_line(claude: Path, home: Path, said: Said) -> None:
    said("install", "claude-code", "--yes", "--no-status-line")
    assert said("install", "claude-code", "--plugin", "--yes", "--no-status-line")[0] == DONE
    path = home / ".claude" / "settings.json"
    assert not path.exists() or json.loads(path.read_text()) == {}


def test_where_claude_code_refuses_the_plugin_the_hooks_stay(claude: Path, home: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    said("install", "claude-code", "--yes")
    before = (home / ".claude" / "settings.json").read_bytes()
    monkeypatch.setenv("REFUSED", "install")
    assert said("install", "claude-code", "--plugin", "--yes")[0] == FAILED
    assert (home / ".claude" / "settings.json").read_bytes() == before


def test_of_several_answers_at_once_one_counts_also_when_the_event_comes_again(home: Path) -> None:
    """An event that came before leaves its sign; several processes then see the old one at the same moment."""
    payload = {"hook_event_name": "PreCompact", "session_id": "s1"}
    together = Barrier(4)

    def is_answered(number: int) -> bool:
        together.wait(10)
        return dispatch._is_answered(payload)

    for round in range(20):
        with ThreadPoolExecutor(4) as pool:
            assert sorted(pool.map(is_answered, range(4))) == [False, True, True, True], round
        [sign] = (home / ".continuity" / "answered").iterdir()
        os.utime(sign, (0, 0))
