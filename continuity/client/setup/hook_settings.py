"""The hooks in the settings of Claude Code, Codex and Gemini CLI: what is there stays, putting them in twice is putting them in once."""

from __future__ import annotations

import os
from pathlib import Path

from continuity.client.hooks.tools import GEMINI
from continuity.client.setup import settings_files
from continuity.client.setup.changes import SettingsChange, taken_out
from continuity.client.setup.launching import command
from continuity.client.setup.settings_files import Unreadable
from continuity.client.setup.status_line import add, is_present, removed

EVENTS = {
    "claude-code": ("SessionStart", "UserPromptSubmit", "PreCompact", "PostToolUse", "Stop", "SubagentStop", "SessionEnd"),
    "codex": ("SessionStart", "UserPromptSubmit", "PreCompact", "PostToolUse", "Stop", "SubagentStop", "SessionEnd"),
    # Its PreCompress comes with every prompt, and nothing waits for it.
    GEMINI: ("SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"),
}
# Preparing a package may take a while; all else is a look at a file. Codex gives the end of a session three seconds and warns of more.
SECONDS = {"PreCompact": 60, "SessionEnd": 3}
DEFAULT_SECONDS = 10


def settings_file(tool: str, *, project: bool = False) -> Path:
    """Where the hooks go: a project's file of one's own, since the other one is shared with everybody who clones it.

    Raises Unreadable for tools whose projects have none of one's own.
    """
    if tool == "claude-code":
        if project:
            return Path.cwd() / ".claude" / "settings.local.json"
        return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude") / "settings.json"
    if project and tool == GEMINI:
        raise Unreadable(
            "Gemini CLI keeps a project's hooks in .gemini/settings.json, which everybody who clones the project shares; "
            "`continuity install gemini-cli` puts them into yours."
        )
    if tool == GEMINI:
        return Path(os.environ.get("GEMINI_CLI_HOME") or Path.home()) / ".gemini" / "settings.json"
    if project:
        raise Unreadable(
            "Codex keeps a project's hooks in .codex/hooks.json, which everybody who clones the project shares; "
            "`continuity install codex` puts them into yours."
        )
    return Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex") / "hooks.json"


def shared_file(tool: str) -> Path:
    """The file of a project that teams commit, into which older versions of this client wrote."""
    return Path.cwd() / (".claude/settings.json" if tool == "claude-code" else ".codex/hooks.json")


def is_installed(tool: str) -> bool:
    """Whether the user's settings have our hooks, or those that the user has for this folder. Raises Unreadable."""
    paths = [settings_file(tool), *([settings_file(tool, project=True)] if tool == "claude-code" else [])]
    return any(_holds_ours(path, settings_files.text_of(path)) for path in paths)


def entries(tool: str) -> dict[str, dict[str, object]]:
    """Our hook of each event, as a settings file has it."""
    called, unit = (command(f"hook {tool}"), 1000) if tool == GEMINI else (command(), 1)
    return {event: {"type": "command", "command": called, "timeout": SECONDS.get(event, DEFAULT_SECONDS) * unit} for event in EVENTS[tool]}


def install(tool: str, *, project: bool = False, status_line: bool = False) -> list[SettingsChange]:
    """The changes that install the hooks, and where asked the status line; nothing is written. Raises Unreadable."""
    path = settings_file(tool, project=project)
    before = settings_files.text_of(path)
    wanted = entries(tool)
    if _has(path, before, wanted) and is_present(before or "") is status_line:
        changes = [SettingsChange(path, before, before)]
    else:
        # Read also where there is nothing of ours: what can't be read is refused before anything is written.
        settings_files.read(path, before)
        after = settings_files.with_hooks(_without(path, before), wanted)
        changes = [SettingsChange(path, before, add(after, command("statusline")) if status_line else after)]
    return [*changes, *_leaving_shared(tool)] if project else changes


def without_hooks(*, status_line: bool) -> SettingsChange:
    """The changes that remove the hooks from Claude Code's settings, for who has the plugin, and where asked install the status line.
    Raises Unreadable."""
    path = settings_file("claude-code")
    before = settings_files.text_of(path)
    settings_files.read(path, before)
    without = _without(path, before)
    if not status_line:
        return SettingsChange(path, before, without)
    without = without if without and without.removeprefix(settings_files.BOM).strip() else "{}\n"
    return SettingsChange(path, before, add(without, command("statusline")))


def events_in(path: Path, text: str | None) -> list[str]:
    """The events that have a hook of ours. Raises Unreadable."""
    return list(dict.fromkeys(hook.event for hook in settings_files.ours(settings_files.read(path, text))))


def uninstall(tool: str, *, project: bool = False) -> list[SettingsChange]:
    """The changes that remove the hooks: back to the very file that was there, where nobody changed it since. Raises Unreadable."""
    if project and tool != "claude-code":
        return _leaving_shared(tool) or [SettingsChange(shared_file(tool), None, None)]
    path = settings_file(tool, project=project)
    changes = [taken_out(path, lambda text: _without(path, text) or "", lambda text: _holds_ours(path, text))]
    return [*changes, *_leaving_shared(tool)] if project else changes


def _leaving_shared(tool: str) -> list[SettingsChange]:
    """The changes that remove our hooks from the project's shared file."""
    path = shared_file(tool)
    text = settings_files.text_of(path)
    if not _holds_ours(path, text):
        return []
    return [SettingsChange(path, text, _without(path, text), remembered=False)]


def _has(path: Path, text: str | None, entries: dict[str, dict[str, object]]) -> bool:
    """Whether each event has our hook as it is to be, once, and no other has one."""
    settings = settings_files.read(path, text)
    there = settings_files.ours(settings)
    found = [(hook.event, settings["hooks"][hook.event][hook.group]["hooks"][hook.entry]) for hook in there]
    return len(found) == len(entries) and all(entries.get(event) == entry for event, entry in found)


def _holds_ours(path: Path, text: str | None) -> bool:
    return bool(settings_files.ours(settings_files.read(path, text)))


def _without(path: Path, text: str | None) -> str | None:
    """Without our hooks and our status line."""
    return removed(settings_files.without_ours(path, text)) if text is not None else None
