"""Effects of file tools on paths: write, edit, read, delete, move, patch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from continuity.knowledge.extractors.shell.patches import lines, patched, unified
from continuity.knowledge.extractors.tools import tool_names
from continuity.knowledge.extractors.tools.symbols import by_edit, with_symbols
from continuity.knowledge.model import FileAction
from continuity.knowledge.state.open_items import Effect

_COMMANDS = {
    "create": FileAction.CREATED,
    "write": FileAction.CREATED,
    "view": FileAction.READ,
    "str_replace": FileAction.MODIFIED,
    "insert": FileAction.MODIFIED,
    "undo_edit": FileAction.MODIFIED,
}


def effects(name: str, arguments: Mapping[str, Any]) -> list[Effect]:
    """What a call of the file tool `name` (in plain form) does when it succeeds; nothing for other tools."""
    if name in tool_names.PATCH:
        text = tool_names.first(arguments, "input", "patch", "patchText", "raw", "diff", "content")
        return with_symbols(patched(text) or unified(text), text)
    if name in tool_names.MOVE:
        source = tool_names.first(arguments, "source", "old_path", "from", "source_path", "path")
        target = tool_names.first(arguments, "destination", "new_path", "to", "target_path")
        return [Effect(FileAction.RENAMED, target, source)] if source and target else []
    action = _action(name, arguments)
    if action is None:
        return []
    paths = [path] if (path := tool_names.path_of(arguments)) else tool_names.texts(arguments.get("paths"))
    note = _range(arguments) if action is FileAction.READ else ""
    names, removed = by_edit(arguments) if action in (FileAction.CREATED, FileAction.MODIFIED) else ((), ())
    return [Effect(action, path, note, names, removed) for path in paths]


def _action(name: str, arguments: Mapping[str, Any]) -> FileAction | None:
    if name in tool_names.EDITOR:
        return _COMMANDS.get(str(arguments.get("command", "")))
    if name in tool_names.WRITE:
        return FileAction.CREATED
    if name in tool_names.EDIT:
        created = "" in (arguments.get("old_string"), arguments.get("oldString"))
        return FileAction.CREATED if created else FileAction.MODIFIED
    if name in tool_names.DELETE:
        return FileAction.DELETED
    return FileAction.READ if name in tool_names.READ else None


def _range(arguments: Mapping[str, Any]) -> str:
    offset, limit = arguments.get("offset"), arguments.get("limit")
    if isinstance(offset, int) and isinstance(limit, int):
        return lines(offset, limit)
    start, end = arguments.get("start_line"), arguments.get("end_line")
    return f"{start}-{end}" if isinstance(start, int) and isinstance(end, int) else ""


def reported(effect: Effect, data: Mapping[str, Any]) -> Effect:
    """The effect as the tool's own report corrects it: whether the file was new, and which lines changed."""
    action = effect.action
    if action in (FileAction.CREATED, FileAction.MODIFIED):
        kind = data.get("type")
        action = FileAction.CREATED if kind in ("create", "add") else FileAction.MODIFIED if kind == "update" else action
    note = _changed_lines(data.get("structuredPatch")) or effect.note
    return replace(effect, action=action, note=note)


def _changed_lines(patch: Any) -> str:
    """The last hunk's range of new lines, from a structured patch."""
    hunk = patch[-1] if isinstance(patch, (list, tuple)) and patch else None
    if isinstance(hunk, Mapping) and isinstance(hunk.get("newStart"), int):
        count = hunk.get("newLines")
        return lines(hunk["newStart"], count if isinstance(count, int) else 1)
    return ""
