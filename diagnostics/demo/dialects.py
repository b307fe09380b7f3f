"""Tool names of different agents for the same action: one entry for each tool that the demo team uses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Call = tuple[str, dict[str, Any]]
Todos = Sequence[tuple[str, str]]  # (text, status: completed, in_progress or pending)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The calls of one tool: its name and arguments for reading, changing and running, and for its list of work."""

    read: Callable[[str], Call]
    edit: Callable[[str, str, str], Call]
    run: Callable[[str], Call]
    plan: Callable[[Todos], Call]


def _patch(path: str, old: str, new: str) -> Call:
    removed, added = ("\n".join(f"{sign}{line}" for line in text.splitlines()) for sign, text in (("-", old), ("+", new)))
    return "apply_patch", {"input": f"*** Begin Patch\n*** Update File: {path}\n@@\n{removed}\n{added}\n*** End Patch"}


DIALECTS: Mapping[str, Dialect] = {
    "claude-code": Dialect(
        read=lambda path: ("Read", {"file_path": path}),
        edit=lambda path, old, new: ("Edit", {"file_path": path, "old_string": old, "new_string": new}),
        run=lambda command: ("Bash", {"command": command}),
        plan=lambda todos: ("TodoWrite", {"todos": [{"content": text, "status": status} for text, status in todos]}),
    ),
    "codex": Dialect(
        read=lambda path: ("exec_command", {"cmd": f"sed -n 1,80p {path}"}),
        edit=_patch,
        run=lambda command: ("exec_command", {"cmd": command}),
        plan=lambda todos: ("update_plan", {"plan": [{"step": text, "status": status} for text, status in todos]}),
    ),
    "gemini-cli": Dialect(
        read=lambda path: ("read_file", {"absolute_path": path}),
        edit=lambda path, old, new: ("replace", {"file_path": path, "old_string": old, "new_string": new}),
        run=lambda command: ("run_shell_command", {"command": command}),
        plan=lambda todos: ("write_todos", {"todos": [{"description": text, "status": status} for text, status in todos]}),
    ),
    "opencode": Dialect(
        read=lambda path: ("read", {"filePath": path}),
        edit=lambda path, old, new: ("edit", {"filePath": path, "oldString": old, "newString": new}),
        run=lambda command: ("bash", {"command": command}),
        plan=lambda todos: ("todowrite", {"todos": [{"content": text, "status": status} for text, status in todos]}),
    ),
    "copilot-cli": Dialect(
        read=lambda path: ("view", {"path": path}),
        edit=lambda path, old, new: ("edit", {"path": path, "old_str": old, "new_str": new}),
        run=lambda command: ("bash", {"command": command}),
        plan=lambda todos: ("update_todo", {"todos": "\n".join(f"- [{_box(status)}] {text}" for text, status in todos)}),
    ),
}


def _box(status: str) -> str:
    return {"completed": "x", "in_progress": ">"}.get(status, " ")
