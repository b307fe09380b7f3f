"""Every tool that Continuity goes into: put in with one line for each change, taken out to the byte, comments and all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from continuity.client.light.wording import shown_path
from continuity.client.main import DONE, FAILED
from continuity.client.setup import json_edits, mcp_servers, owned_files, targets

Said = Callable[..., tuple[int, str, str]]
FILES = {
    "codex": ".codex/hooks.json",
    "gemini-cli": ".gemini/settings.json",
    "copilot-cli": ".copilot/mcp-config.json",
    "opencode": ".config/opencode/opencode.jsonc",
    "cursor": ".cursor/mcp.json",
}
THEIRS = """{
  // what I like
  "theme": "dark", /* not light */
  "mcpServers": {
    "mine": {"command": "mine"} // mine
  },
  "mcp": {"theirs": {"type": "remote", "url": "http://x//y"}}
}
"""


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COPILOT_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("tool", sorted(FILES))
@pytest.mark.parametrize("changed", [False, True], ids=["as it was", "changed since"])
def test_it_works(tool: str, changed: bool, home: Path, said: Said) -> None:
    path = home / FILES[tool]
    path.parent.mkdir(parents=True)
    path.write_text(THEIRS)
    words = ["--yes"] if tool == "codex" else ["--mcp", "--yes"]
    status, told, errors = said("install", tool, *words)
    assert (status, errors) == (DONE, "")
    assert targets.is_installed(tool)
    if tool != "codex":
        assert "the MCP server" in told
        held = json.loads(json_edits.plain(path.read_text()))[mcp_servers.HOLDERS[tool]]
        assert set(held) == {"continuity", "theirs" if tool == "opencode" else "mine"}
    assert all(line.startswith("~/") for line in told.splitlines()[: len(told.splitlines()) // 2]), "one line for each change"
    assert said("install", tool, *words)[1].startswith(
        f"{shown_path(path if tool not in owned_files.TOOLS else owned_files.file_of(tool))}: nothing"
    )
    if changed:
        path.write_text(path.read_text().replace('"dark"', '"light"'))
    assert said("uninstall", tool, "--yes")[0] == DONE
    assert not targets.is_installed(tool)
    left, before = path.read_text(), THEIRS.replace('"dark"', '"light"') if changed else THEIRS
    assert [line.strip() for line in left.splitlines()] == [line.strip() for line in before.splitlines()]


@pytest.mark.parametrize("tool", sorted(set(targets.TARGETS) - {"claude-code", "codex"}))
def test_where_nothing_was_nothing_stays(tool: str, home: Path, said: Said) -> None:
    assert said("install", tool, "--mcp", "--yes")[0] == DONE
    assert said("uninstall", tool, "--yes")[0] == DONE
    assert [path for path in home.rglob("*") if path.is_file() and ".continuity" not in path.parts] == []


@pytest.mark.parametrize("tool", ["copilot-cli", "opencode", "cursor", "gemini-cli"])
def test_what_goes_into_no_single_folder_says_so(tool: str, said: Said) -> None:
    status, _, errors = said("install", tool, "--project", "--yes")
    assert status == FAILED
    assert "everybody who clones" in errors or "all folders" in errors


BEFORE = '{\n  "a": 1, // of a\n  /* of b */ "b": 2, // of b too\n  "c": [1, 2,], // "not": this\n}\n'


@pytest.mark.parametrize("place", range(3))
def test_comments_stay_where_a_member_goes(place: int) -> None:
    after = json_edits.remove(BEFORE, json_edits.root(BEFORE), place)
    kept = json.loads(json_edits.plain(BEFORE))
    del kept["abc"[place]]
    assert json.loads(json_edits.plain(after)) == kept
    assert after.count("// of") + after.count("/* of") + after.count('// "not') == 4


def test_a_member_is_added_behind_a_trailing_comma() -> None:
    after = json_edits.add(BEFORE, json_edits.root(BEFORE), True, "d")
    assert json.loads(json_edits.plain(after))["d"] is True


def test_comments_take_time_linear_in_the_text() -> None:
    for hostile in ("/*" * 200_000, '"' + "\\" * 400_000, "//" * 200_000, "," * 400_000):
        json_edits.plain(hostile)
