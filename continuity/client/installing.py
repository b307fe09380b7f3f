"""The hooks in the settings of Claude Code and Codex: what is there stays, putting them in twice is putting them in once."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any, NamedTuple

from continuity.client import places

CLIENT = Path(__file__).resolve().parent
_OURS = re.compile(r"continuity(?:/client/__main__\.py)?['\"]? hook$")
EVENTS = {
    "claude-code": ("SessionStart", "UserPromptSubmit", "PreCompact", "PostToolUse", "Stop", "SubagentStop", "SessionEnd"),
    "codex": ("SessionStart", "UserPromptSubmit", "PreCompact", "PostToolUse", "Stop", "SubagentStop", "SessionEnd"),
}
# Preparing a package may take a while; all else is a look at a file. Codex gives the end of a session three seconds and warns of more.
SECONDS = {"PreCompact": 60, "SessionEnd": 3}
DEFAULT_SECONDS = 10


class Unreadable(OSError):
    """The settings file is no JSON object; mend it first."""


class Change(NamedTuple):
    """A settings file before and after; None is no file."""

    path: Path
    before: str | None
    after: str | None


def settings_file(tool: str, *, project: bool = False) -> Path:
    if tool == "claude-code":
        folder = Path.cwd() / ".claude" if project else Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
        return folder / "settings.json"
    folder = Path.cwd() / ".codex" if project else Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")
    return folder / "hooks.json"


def command() -> str:
    """How a tool calls us: the launcher beside this Python, else this Python with our file."""
    launcher = Path(sys.executable).with_name("continuity")
    if launcher.exists():
        return f"{shlex.quote(str(launcher))} hook"
    return f"{shlex.quote(sys.executable)} -IS {shlex.quote(str(CLIENT / '__main__.py'))} hook"


def is_installed(tool: str) -> bool:
    return _holds_ours(_text(settings_file(tool)))


def install(tool: str, *, project: bool = False) -> Change:
    """What putting the hooks in changes; nothing is written. Raises Unreadable."""
    path = settings_file(tool, project=project)
    before = _text(path)
    settings = _without_ours(_read(before))
    hooks = settings.setdefault("hooks", {})
    for event in EVENTS[tool]:
        entry = {"type": "command", "command": command(), "timeout": SECONDS.get(event, DEFAULT_SECONDS)}
        hooks.setdefault(event, []).append({"hooks": [entry]})
    same = before is not None and settings == _read(before)
    return Change(path, before, before if same else _written(settings))


def uninstall(tool: str, *, project: bool = False) -> Change:
    """What taking the hooks out changes: back to the very file that was there, where nobody changed it since. Raises Unreadable.

    A file that was changed between two installations held our hooks before the second; that one is no file to go back to.
    """
    path = settings_file(tool, project=project)
    now = _text(path)
    stored = places.read_object(_memory(path))
    if stored and stored.get("after") == now and not _holds_ours(stored.get("before")):
        return Change(path, now, stored.get("before"))
    settings = _without_ours(_read(now))
    return Change(path, now, now if settings == _read(now) else _written(settings))


def apply(change: Change, *, remember: bool) -> None:
    """Writes the file; `remember` what was there, so that it can be put back."""
    if remember:
        stored = places.read_object(_memory(change.path))
        first = stored.get("before") if stored.get("after") == change.before and stored else change.before
        places.write(_memory(change.path), json.dumps({"before": first, "after": change.after}))
    else:
        _memory(change.path).unlink(missing_ok=True)
    if change.after is None:
        change.path.unlink(missing_ok=True)
        return
    change.path.parent.mkdir(parents=True, exist_ok=True)
    target = change.path.resolve()
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    places.write(target, change.after)
    if mode is not None:
        target.chmod(mode)


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None


def _read(text: str | None) -> dict[str, Any]:
    try:
        settings = json.loads(text) if text and text.strip() else {}
    except ValueError as error:
        raise Unreadable(f"{Unreadable.__doc__} ({error})") from error
    if not isinstance(settings, dict) or not isinstance(settings.get("hooks", {}), dict):
        raise Unreadable(Unreadable.__doc__)
    return settings


def _holds_ours(text: str | None) -> bool:
    return any(_is_ours(entry) for group in _groups(_read(text)) for entry in group.get("hooks", []))


def _groups(settings: dict[str, Any]) -> list[dict[str, Any]]:
    listed = [groups for groups in settings.get("hooks", {}).values() if isinstance(groups, list)]
    return [group for groups in listed for group in groups if isinstance(group, dict)]


def _is_ours(entry: Any) -> bool:
    return isinstance(entry, dict) and bool(_OURS.search(str(entry.get("command", ""))))


def _without_ours(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings without our hooks, and without the lists that they leave empty."""
    hooks: dict[str, Any] = {}
    for event, groups in settings.get("hooks", {}).items():
        if not isinstance(groups, list):
            hooks[event] = groups
            continue
        kept = [_group_without_ours(group) for group in groups]
        if kept := [group for group in kept if group is not None]:
            hooks[event] = kept
        elif not groups:
            hooks[event] = groups
    rest = {name: value for name, value in settings.items() if name != "hooks"}
    return rest | {"hooks": hooks} if hooks or settings.get("hooks") == {} else rest


def _group_without_ours(group: Any) -> Any:
    if not isinstance(group, dict) or not any(_is_ours(entry) for entry in group.get("hooks", [])):
        return group
    kept = [entry for entry in group["hooks"] if not _is_ours(entry)]
    return {**group, "hooks": kept} if kept else None


def _written(settings: dict[str, Any]) -> str:
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


def _memory(path: Path) -> Path:
    return places.folder("installed") / f"{places.key_of(str(path))}.json"
