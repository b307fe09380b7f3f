"""Files of a tool that are ours alone: Copilot CLI's hooks, and OpenCode's plugin. Nobody else writes there, and removing them is all."""

from __future__ import annotations

import json
import os
from pathlib import Path

from continuity.client.hooks import tools
from continuity.client.setup import launching, settings_files
from continuity.client.setup.changes import SettingsChange

PLUGIN = Path(__file__).with_name("opencode_plugin.js")
# Named as Claude Code names them, Copilot answers in Claude Code's fields.
COPILOT_EVENTS = ("SessionStart", "UserPromptSubmit", "PreCompact", "PostToolUse", "Stop", "SubagentStop", "SessionEnd")
SECONDS = {"PreCompact": 60}
DEFAULT_SECONDS = 10
TOOLS = (tools.COPILOT, tools.OPENCODE)


def file_of(tool: str) -> Path:
    if tool == tools.COPILOT:
        return Path(tools.copilot_home()) / "hooks" / "continuity.json"
    return opencode_folder() / "plugins" / "continuity.js"


def opencode_folder() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "opencode"


def text_of(tool: str) -> str:
    """The text that the file is to hold."""
    if tool == tools.OPENCODE:
        return PLUGIN.read_text(encoding="utf-8").replace("[/* HOOK */]", json.dumps([*launching.words(), "hook", tool]), 1)
    command = launching.command(f"hook {tool}")
    hooks = {event: [{"type": "command", "bash": command, "timeoutSec": SECONDS.get(event, DEFAULT_SECONDS)}] for event in COPILOT_EVENTS}
    return json.dumps({"version": 1, "hooks": hooks}, indent=2) + "\n"


def is_installed(tool: str) -> bool:
    return file_of(tool).is_file()


def install(tool: str) -> SettingsChange:
    """Raises Unreadable."""
    path = file_of(tool)
    return SettingsChange(path, settings_files.text_of(path), text_of(tool), remembered=False)


def uninstall(tool: str) -> SettingsChange:
    """Raises Unreadable."""
    path = file_of(tool)
    return SettingsChange(path, settings_files.text_of(path), None, remembered=False)


def is_ours(path: Path) -> bool:
    return path in map(file_of, TOOLS)
