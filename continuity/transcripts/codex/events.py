"""Codex's events about a call: the files that a patch changed, and how a command ended."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from continuity.transcripts.base.fields import MAX_LABEL, identifier, label, listing, mapping, string, whole

MAX_CALLS = 256
MAX_CHANGES = 60


class CallEvents:
    """Keeps what events said about a call until its output comes, for the most recent 256 calls."""

    def __init__(self) -> None:
        self._about: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._expected: OrderedDict[str, str] = OrderedDict()

    def expect(self, call_id: str, command: Any) -> None:
        """Notes the command that a call runs through a script: its end is told of the command alone."""
        if call_id and isinstance(command, str):
            self._expected[command] = call_id
            if len(self._expected) > MAX_CALLS:
                self._expected.popitem(last=False)

    def record(self, event: Mapping[str, Any]) -> None:
        """Takes an event; those that are not about the end of a call are ignored."""
        call_id = identifier(event.get("call_id"))
        item = mapping(event.get("item"))
        if event.get("type") == "item_completed" and item.get("type") == "CommandExecution":
            ran = listing(item.get("command"))
            call_id = self._expected.pop(string(ran[-1]) if ran else "", "")
            event = {"type": "exec_command_end", "exit_code": item.get("exit_code")}
        about = _about(event) if call_id else {}
        if about:
            self._about.setdefault(call_id, {}).update(about)
            if len(self._about) > MAX_CALLS:
                self._about.popitem(last=False)

    def take(self, call_id: str) -> dict[str, Any]:
        """Take the facts on the call: `changes`, `success`, `exit_code`, as far as events told."""
        return self._about.pop(call_id, {})


def _about(event: Mapping[str, Any]) -> dict[str, Any]:
    kind = event.get("type")
    about: dict[str, Any] = {}
    if kind == "patch_apply_end":
        changes = mapping(event.get("changes"))
        about["changes"] = [_change(path, mapping(change)) for path, change in list(changes.items())[:MAX_CHANGES]]
        if len(changes) > MAX_CHANGES:
            about["more_changes"] = len(changes) - MAX_CHANGES
        if isinstance(event.get("success"), bool):
            about["success"] = event["success"]
    elif kind == "exec_command_end" and (exit_code := whole(event.get("exit_code"))) is not None:
        about["exit_code"] = exit_code
    elif kind == "mcp_tool_call_end" and (result := mapping(event.get("result"))):
        about["success"] = "Err" not in result and mapping(result.get("Ok")).get("is_error") is not True
    return about


def _change(path: str, change: Mapping[str, Any]) -> dict[str, Any]:
    """A changed file: `path`, `type` (add, update, delete), lines `added` and `removed`, `move_path` where it moved."""
    lines = string(change.get("unified_diff")).split("\n")
    content = string(change.get("content"))
    whole_file = content.count("\n") + bool(content and not content.endswith("\n"))
    kind = label(change.get("type"))
    summary: dict[str, Any] = {
        "path": path[:MAX_LABEL],
        "type": kind,
        "added": whole_file if kind == "add" else sum(line[:1] == "+" for line in lines),
        "removed": whole_file if kind == "delete" else sum(line[:1] == "-" for line in lines),
    }
    if moved := label(change.get("move_path")):
        summary["move_path"] = moved
    return summary
