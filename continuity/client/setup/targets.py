"""The tools that Continuity can be put into, and what that changes on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from continuity.client.hooks import tools
from continuity.client.light.wording import shown_path
from continuity.client.setup import commit_hook, hook_settings, mcp_servers, owned_files
from continuity.client.setup.changes import SettingsChange
from continuity.client.setup.settings_files import Unreadable
from continuity.client.setup.status_line import is_present


class Target(NamedTuple):
    """`shown` is what people call the tool, `place` a folder that is there where it was used."""

    shown: str
    place: Callable[[], Path]


# No tool but the repository of this folder: commits name the session that they came of.
GIT = "git"
CURSOR = "cursor"
TARGETS = {
    "claude-code": Target("Claude Code", lambda: Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")),
    "codex": Target("Codex", lambda: Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")),
    tools.GEMINI: Target("Gemini CLI", lambda: mcp_servers.file_of(tools.GEMINI).parent),
    tools.COPILOT: Target("Copilot CLI", lambda: Path(tools.copilot_home())),
    tools.OPENCODE: Target("OpenCode", owned_files.opencode_folder),
    CURSOR: Target("Cursor", lambda: Path.home() / ".cursor"),
}
# Of these it has nothing that could record: only the MCP server goes in.
WITHOUT_HOOKS = (CURSOR,)
# What has to be done in the tool itself before it works.
AFTERWARDS = {
    "codex": "Codex runs hooks only after you trusted them: open /hooks in its window. `continuity doctor` shows whether it does.",
    tools.GEMINI: "Gemini CLI runs hooks in folders that you trusted, and asks once for each.",
}


def used() -> list[str]:
    """The tools that were used on this machine."""
    return [name for name, target in TARGETS.items() if target.place().is_dir()]


def is_installed(tool: str) -> bool:
    """Raises Unreadable."""
    if tool in owned_files.TOOLS:
        return owned_files.is_installed(tool)
    if tool in WITHOUT_HOOKS:
        path = mcp_servers.file_of(tool)
        return path.exists() and mcp_servers.is_registered(path, path.read_text(encoding="utf-8"), mcp_servers.HOLDERS[tool])
    return hook_settings.is_installed(tool)


def install(tool: str, *, project: bool = False, status_line: bool = False, mcp: bool = False) -> list[SettingsChange]:
    """The changes that install Continuity; nothing is written. `mcp` with its MCP server, where that is a file's matter. Raises
    Unreadable."""
    if project and tool not in hook_settings.EVENTS:
        raise Unreadable(
            f"{TARGETS[tool].shown} takes it for all folders alone; `continuity install {tool} --only PATH` limits what is recorded"
        )
    if tool in WITHOUT_HOOKS:
        return [mcp_servers.install(tool)]
    if tool in owned_files.TOOLS:
        changes = [owned_files.install(tool)]
    else:
        changes = hook_settings.install(tool, project=project, status_line=status_line)
    if mcp and tool in mcp_servers.HOLDERS:
        change = mcp_servers.install(tool, changes[0])
        changes = [change, *changes[1:]] if change.path == changes[0].path else [*changes, change]
    return changes


def uninstall(tool: str, *, project: bool = False) -> list[SettingsChange]:
    """The changes that uninstall it, the MCP server too where it is in a file. Raises Unreadable."""
    changes: list[SettingsChange] = []
    if tool in owned_files.TOOLS:
        changes = [owned_files.uninstall(tool)]
    elif tool not in WITHOUT_HOOKS:
        changes = hook_settings.uninstall(tool, project=project)
    holder = mcp_servers.HOLDERS.get(tool)
    if holder is None or project:
        return changes
    path = mcp_servers.file_of(tool)
    same = next((number for number, change in enumerate(changes) if change.path == path), None)
    if same is None:
        return [*changes, change] if (change := mcp_servers.uninstall(tool)) is not None else changes or [SettingsChange(path, None, None)]
    after = changes[same].after
    changes[same] = changes[same]._replace(after=after if after is None else mcp_servers.without(path, after, holder))
    return changes


def described(changes: Sequence[SettingsChange]) -> list[str]:
    """Each change in one line. Raises Unreadable."""
    return [f"{shown_path(change.path)}: {' and '.join(_parts(change)) or 'puts back what was there'}" for change in changes]


def _parts(change: SettingsChange) -> list[str]:
    if change.path.name == commit_hook.NAME:
        there = commit_hook.BEGIN in (change.after or "")
        return [f"{'puts in' if there else 'takes out'} the line that names the session in a commit's message"]
    if owned_files.is_ours(change.path):
        what = "OpenCode's plugin" if change.path.suffix == ".js" else "Copilot's hooks, in a file of their own"
        return [f"{'removes' if change.after is None else 'renews' if change.before else 'puts in'} {what}"]
    parts = []
    hooks = [hook_settings.events_in(change.path, text) for text in (change.before, change.after)]
    if hooks[1] and hooks[0] != hooks[1]:
        parts.append(f"{'renews' if hooks[0] else 'puts in'} the hooks {', '.join(hooks[1])}")
    elif hooks[0] and not hooks[1]:
        parts.append("takes out the hooks")
    elif hooks[0]:
        parts.append(f"renews the hooks {', '.join(hooks[1])}")
    for name, is_there in (("the status line", _has_line), ("the MCP server", _has_server)):
        before, after = is_there(change.path, change.before), is_there(change.path, change.after)
        if before != after:
            parts.append(f"{'puts in' if after else 'takes out'} {name}")
    return parts


def _has_line(path: Path, text: str | None) -> bool:
    return is_present(text or "")


def _has_server(path: Path, text: str | None) -> bool:
    return any(mcp_servers.is_registered(path, text, holder) for holder in sorted(set(mcp_servers.HOLDERS.values())))
