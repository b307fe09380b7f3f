"""Our MCP server in a tool's settings: in its file, or by the tool's own command where that file is not one to be edited beside it."""

from __future__ import annotations

import json
import os
import subprocess
import tomllib
from pathlib import Path
from typing import Any

from continuity.client.hooks import tools
from continuity.client.light.wording import shown_path
from continuity.client.setup import json_edits, launching, owned_files, settings_files
from continuity.client.setup.changes import SettingsChange, taken_out
from continuity.client.setup.settings_files import BOM

NAME = "continuity"
# Under which each tool's file keeps its servers.
HOLDERS = {tools.GEMINI: "mcpServers", tools.COPILOT: "mcpServers", "cursor": "mcpServers", tools.OPENCODE: "mcp"}
# Tools that write the file themselves while they run, and how they are told.
BY_COMMAND = {"claude-code": ("claude", ("mcp", "add", "--scope", "user")), "codex": ("codex", ("mcp", "add"))}
REMOVING = {"claude-code": ("mcp", "remove", "--scope", "user", NAME), "codex": ("mcp", "remove", NAME)}
SECONDS = 120


def file_of(tool: str) -> Path:
    """Where the tool keeps its servers."""
    if tool == "claude-code":
        return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home()) / ".claude.json"
    if tool == "codex":
        return Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex") / "config.toml"
    if tool == tools.GEMINI:
        return Path(os.environ.get("GEMINI_CLI_HOME") or Path.home()) / ".gemini" / "settings.json"
    if tool == tools.COPILOT:
        return Path(tools.copilot_home()) / "mcp-config.json"
    if tool == "cursor":
        return Path.home() / ".cursor" / "mcp.json"
    commented = owned_files.opencode_folder() / "opencode.jsonc"
    return commented if commented.exists() else commented.with_suffix(".json")


def install(tool: str, earlier: SettingsChange | None = None) -> SettingsChange:
    """The changes that install the server, behind an `earlier` change where that is of the same file. Raises Unreadable."""
    path, holder = file_of(tool), HOLDERS[tool]
    if earlier is not None and earlier.path == path:
        return earlier._replace(after=_with_server(path, earlier.after, holder, _entry(tool)))
    before = settings_files.text_of(path)
    return SettingsChange(path, before, _with_server(path, before, holder, _entry(tool)))


def uninstall(tool: str) -> SettingsChange | None:
    """None where it is not there. Raises Unreadable."""
    path, holder = file_of(tool), HOLDERS[tool]
    if not is_registered(path, settings_files.text_of(path), holder):
        return None
    return taken_out(path, lambda text: without(path, text, holder), lambda text: is_registered(path, text, holder))


def without(path: Path, text: str, holder: str) -> str:
    """The text without our server, and without the object that it leaves empty. Raises Unreadable."""
    if not is_registered(path, text, holder):
        return text
    mark, plain = _split(text)
    root = json_edits.root(plain)
    held = json_edits.member(plain, root, holder)
    if held is None:
        return text
    names = [item.key for item in json_edits.items(plain, held.at)]
    if names == [NAME]:
        return mark + json_edits.remove(plain, root, [item.key for item in json_edits.items(plain, root)].index(holder))
    return mark + json_edits.remove(plain, held.at, names.index(NAME))


def is_registered(path: Path, text: str | None, holder: str) -> bool:
    """Whether the settings name our server. Raises Unreadable."""
    servers = settings_files.read_plainly(path, text).get(holder)
    return isinstance(servers, dict) and NAME in servers


def command(tool: str) -> list[str]:
    """The command for the tool, as words."""
    program, words = BY_COMMAND[tool]
    return [program, *words, NAME, "--", *launching.words(), "mcp"]


def is_known(tool: str) -> bool:
    """Whether a tool that is told by its command has the server already."""
    path = file_of(tool)
    try:
        text = path.read_text(encoding="utf-8")
        settings = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except (OSError, ValueError):
        return False
    servers = settings.get("mcp_servers" if path.suffix == ".toml" else "mcpServers")
    return isinstance(servers, dict) and NAME in servers


def run_tool(words: list[str]) -> str:
    """Run a command of the tool; return its error, empty where it succeeded."""
    try:
        done = subprocess.run(words, text=True, capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else ((done.stderr or done.stdout).strip() or f"it ended with {done.returncode}")


def _entry(tool: str) -> dict[str, Any]:
    start, *arguments = [*launching.words(), "mcp"]
    if tool == tools.OPENCODE:
        return {"type": "local", "command": [start, *arguments], "enabled": True}
    if tool == tools.COPILOT:
        return {"type": "local", "command": start, "args": arguments, "tools": ["*"]}
    return {"command": start, "args": arguments}


def _with_server(path: Path, text: str | None, holder: str, entry: dict[str, Any]) -> str:
    """Raises Unreadable."""
    servers = settings_files.read_plainly(path, text).get(holder)
    if servers is not None and not isinstance(servers, dict):
        raise settings_files.Unreadable(f'{shown_path(path)}: "{holder}" is no object; mend it first.')
    if servers and servers.get(NAME) == entry and text is not None:
        return text
    mark, plain = _split(without(path, text or "", holder))
    if not plain.strip():
        return mark + json.dumps({holder: {NAME: entry}}, indent=2) + "\n"
    held = json_edits.member(plain, json_edits.root(plain), holder)
    if held is None:
        return mark + json_edits.add(plain, json_edits.root(plain), {NAME: entry}, holder)
    return mark + json_edits.add(plain, held.at, entry, NAME)


def _split(text: str) -> tuple[str, str]:
    return (BOM, text[1:]) if text.startswith(BOM) else ("", text)
