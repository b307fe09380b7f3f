"""Tool names of different agents for the same action: one entry for each tool that the demo team uses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Call = tuple[str, dict[str, Any]]
Todos = Sequence[tuple[str, str]]  # (text, status: completed, in_progress or pending)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The calls of one tool: its name and arguments for reading, changing and running, and for its list of work; how it shows the lines
    of a file, and what it answers to a change and to a list of work."""

    read: Callable[[str, int], Call]
    edit: Callable[[str, str, str], Call]
    run: Callable[[str], Call]
    plan: Callable[[Todos], Call]
    shown: Callable[[Sequence[str]], str]
    changed: str
    planned: str


def _numbered(form: str) -> Callable[[Sequence[str]], str]:
    return lambda lines: "\n".join(form.format(number, line) for number, line in enumerate(lines, start=1))


def _patch(path: str, old: str, new: str) -> Call:
    removed, added = ("\n".join(f"{sign}{line}" for line in text.splitlines()) for sign, text in (("-", old), ("+", new)))
    return "apply_patch", {"input": f"*** Begin Patch\n*** Update File: {path}\n@@\n{removed}\n{added}\n*** End Patch"}


DIALECTS: Mapping[str, Dialect] = {
    "claude-code": Dialect(
        read=lambda path, lines: ("Read", {"file_path": path}),
        edit=lambda path, old, new: ("Edit", {"file_path": path, "old_string": old, "new_string": new}),
        run=lambda command: ("Bash", {"command": command}),
        plan=lambda todos: ("TodoWrite", {"todos": [{"content": text, "status": status} for text, status in todos]}),
        shown=_numbered("{:6d}\t{}"),
        changed="The file {path} has been updated successfully.",
        planned="Todos have been modified successfully.",
    ),
    "codex": Dialect(
        read=lambda path, lines: ("exec_command", {"cmd": f"sed -n 1,{lines}p {path}"}),
        edit=_patch,
        run=lambda command: ("exec_command", {"cmd": command}),
        plan=lambda todos: ("update_plan", {"plan": [{"step": text, "status": status} for text, status in todos]}),
        shown="\n".join,
        changed="Success. Updated the following files:\nM {path}",
        planned="Plan updated",
    ),
    "gemini-cli": Dialect(
        read=lambda path, lines: ("read_file", {"absolute_path": path}),
        edit=lambda path, old, new: ("replace", {"file_path": path, "old_string": old, "new_string": new}),
        run=lambda command: ("run_shell_command", {"command": command}),
        plan=lambda todos: ("write_todos", {"todos": [{"description": text, "status": status} for text, status in todos]}),
        shown="\n".join,
        changed="Successfully modified file: {path} (1 replacements).",
        planned="Successfully updated the todo list.",
    ),
    "opencode": Dialect(
        read=lambda path, lines: ("read", {"filePath": path}),
        edit=lambda path, old, new: ("edit", {"filePath": path, "oldString": old, "newString": new}),
        run=lambda command: ("bash", {"command": command}),
        plan=lambda todos: ("todowrite", {"todos": [{"content": text, "status": status} for text, status in todos]}),
        shown=_numbered("{:05d}| {}"),
        changed="Edit applied successfully.",
        planned="The list of todos is updated.",
    ),
    "copilot-cli": Dialect(
        read=lambda path, lines: ("view", {"path": path}),
        edit=lambda path, old, new: ("edit", {"path": path, "old_str": old, "new_str": new}),
        run=lambda command: ("bash", {"command": command}),
        plan=lambda todos: ("update_todo", {"todos": "\n".join(f"- [{_box(status)}] {text}" for text, status in todos)}),
        shown=_numbered("{}. {}"),
        changed="File {path} updated with changes.",
        planned="TODO list updated.",
    ),
}


def _box(status: str) -> str:
    return {"completed": "x", "in_progress": ">"}.get(status, " ")
