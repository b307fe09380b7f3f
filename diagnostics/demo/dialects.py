"""Tool names of different agents for the same action: one entry for each tool that the demo team uses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import ndiff
from typing import Any

Call = tuple[str, dict[str, Any]]
Lines = Sequence[tuple[int, str]]
Todos = Sequence[tuple[str, str]]  # (text, status: completed, in_progress or pending)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The calls of one tool: its name and arguments for reading a file from line to line, writing, changing and running, and for its list
    of work; how it shows numbered lines, and what it answers to a new file, to a change and to a list of work."""

    read: Callable[[str, int, int], Call]
    write: Callable[[str, str], Call]
    edit: Callable[[str, str, str], Call]
    run: Callable[[str], Call]
    plan: Callable[[Todos], Call]
    shown: Callable[[Lines], str]
    written: str
    changed: str
    planned: str


def _numbered(form: str) -> Callable[[Lines], str]:
    return lambda lines: "\n".join(form.format(number, line) for number, line in lines)


_PLAIN = _numbered("{1}")


def _new_file(path: str, text: str) -> Call:
    added = "\n".join(f"+{line}" for line in text.splitlines())
    return "apply_patch", {"input": f"*** Begin Patch\n*** Add File: {path}\n{added}\n*** End Patch"}


def _patch(path: str, old: str, new: str) -> Call:
    changed = "\n".join(line[0] + line[2:] for line in ndiff(old.splitlines(), new.splitlines()) if line[0] != "?")
    return "apply_patch", {"input": f"*** Begin Patch\n*** Update File: {path}\n@@\n{changed}\n*** End Patch"}


DIALECTS: Mapping[str, Dialect] = {
    "claude-code": Dialect(
        read=lambda path, first, last: ("Read", {"file_path": path, **({"offset": first, "limit": last - first + 1} if first > 1 else {})}),
        write=lambda path, text: ("Write", {"file_path": path, "content": text}),
        edit=lambda path, old, new: ("Edit", {"file_path": path, "old_string": old, "new_string": new}),
        run=lambda command: ("Bash", {"command": command}),
        plan=lambda todos: ("TodoWrite", {"todos": [{"content": text, "status": status} for text, status in todos]}),
        shown=_numbered("{:6d}\t{}"),
        written="File created successfully at: {path}",
        changed="The file {path} has been updated successfully.",
        planned="Todos have been modified successfully.",
    ),
    "codex": Dialect(
        read=lambda path, first, last: ("exec_command", {"cmd": f"sed -n {first},{last}p {path}"}),
        write=_new_file,
        edit=_patch,
        run=lambda command: ("exec_command", {"cmd": command}),
        plan=lambda todos: ("update_plan", {"plan": [{"step": text, "status": status} for text, status in todos]}),
        shown=_PLAIN,
        written="Success. Updated the following files:\nA {path}",
        changed="Success. Updated the following files:\nM {path}",
        planned="Plan updated",
    ),
    "gemini-cli": Dialect(
        read=lambda path, first, last: ("read_file", {"absolute_path": path, **({"offset": first, "limit": last} if first > 1 else {})}),
        write=lambda path, text: ("write_file", {"file_path": path, "content": text}),
        edit=lambda path, old, new: ("replace", {"file_path": path, "old_string": old, "new_string": new}),
        run=lambda command: ("run_shell_command", {"command": command}),
        plan=lambda todos: ("write_todos", {"todos": [{"description": text, "status": status} for text, status in todos]}),
        shown=_PLAIN,
        written="Successfully created and wrote to new file: {path}.",
        changed="Successfully modified file: {path} (1 replacements).",
        planned="Successfully updated the todo list.",
    ),
    "opencode": Dialect(
        read=lambda path, first, last: ("read", {"filePath": path, **({"offset": first} if first > 1 else {})}),
        write=lambda path, text: ("write", {"filePath": path, "content": text}),
        edit=lambda path, old, new: ("edit", {"filePath": path, "oldString": old, "newString": new}),
        run=lambda command: ("bash", {"command": command}),
        plan=lambda todos: ("todowrite", {"todos": [{"content": text, "status": status} for text, status in todos]}),
        shown=_numbered("{:05d}| {}"),
        written="Wrote file successfully.",
        changed="Edit applied successfully.",
        planned="The list of todos is updated.",
    ),
    "copilot-cli": Dialect(
        read=lambda path, first, last: ("view", {"path": path, **({"view_range": [first, last]} if first > 1 else {})}),
        write=lambda path, text: ("create", {"path": path, "file_text": text}),
        edit=lambda path, old, new: ("edit", {"path": path, "old_str": old, "new_str": new}),
        run=lambda command: ("bash", {"command": command}),
        plan=lambda todos: ("update_todo", {"todos": "\n".join(f"- [{_box(status)}] {text}" for text, status in todos)}),
        shown=_numbered("{}. {}"),
        written="Created file {path}",
        changed="File {path} updated with changes.",
        planned="TODO list updated.",
    ),
}


def _box(status: str) -> str:
    return {"completed": "x", "in_progress": ">"}.get(status, " ")
