"""Tool names of different agents for the same action, and what each of them answers: one entry for each tool that the demo team uses.

Arguments and answers are as the readers of transcripts give them: what a tool writes around the output of a command is no longer there.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import ndiff
from typing import Any

Call = tuple[str, dict[str, Any]]
Lines = Sequence[tuple[int, str]]
Todos = Sequence[tuple[str, str]]  # (text, status: completed, in_progress or pending)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The calls of one tool: its name and arguments for reading a file from line to line, writing, changing and running (in a folder), and
    for its list of work; how it shows lines of a file of so many, and what it answers to a new file, to a change, to a list of work and,
    `{code}`, before what a command printed that failed."""

    read: Callable[[str, int, int], Call]
    write: Callable[[str, str], Call]
    edit: Callable[[str, str, str], Call]
    run: Callable[[str, str], Call]
    plan: Callable[[Todos], Call]
    shown: Callable[[Lines, int], str]
    written: str
    changed: str
    planned: Callable[[Todos], str]
    failed: str = ""
    relative: bool = False  # paths from the folder in which it works


def _numbered(form: str) -> Callable[[Lines, int], str]:
    return lambda lines, total: "\n".join(form.format(number, line) for number, line in lines)


_PLAIN = _numbered("{1}")
# A list of work in plain text marks each item in a box.
BOXES = {"x": "completed", ">": "in_progress", " ": "pending"}
_BOX_OF = {status: box for box, status in BOXES.items()}


def _in_file(lines: Lines, total: int) -> str:
    last = lines[-1][0] if lines else 0
    more = (
        f"(File has more lines. Use 'offset' parameter to read beyond line {last})"
        if last < total
        else f"(End of file - total {total} lines)"
    )
    return "<file>\n" + "\n".join(f"{number:05d}| {line}" for number, line in lines) + f"\n\n{more}\n</file>"


def _stretch(first: int, last: int, *, lines_from: int) -> dict[str, Any]:
    """Lines of a file as an offset and a limit, which are left out where it is read from its beginning."""
    return {"offset": first - 1 + lines_from, "limit": last - first + 1} if first > 1 else {}


def _new_file(path: str, text: str) -> Call:
    added = "\n".join(f"+{line}" for line in text.splitlines())
    return "apply_patch", {"patch": f"*** Begin Patch\n*** Add File: {path}\n{added}\n*** End Patch\n"}


def _patch(path: str, old: str, new: str) -> Call:
    changed = "\n".join(line[0] + line[2:] for line in ndiff(old.splitlines(), new.splitlines()) if line[0] != "?")
    return "apply_patch", {"patch": f"*** Begin Patch\n*** Update File: {path}\n@@\n{changed}\n*** End Patch\n"}


# What agents say that a command is for.
_PURPOSES: Mapping[str, str] = {
    r"python -m pytest -q$": "Run all tests",
    r"python -m pytest -q tests/(\S+)\.py$": "Run the tests of {0}",
    r"git add -A && git commit": "Commit the changes",
    r"git log": "Show the latest commits",
    r"git diff": "Show what changed",
    r"git status": "Show what is not committed",
    r"git ls-files": "List the files of the repository",
    r"rg ": "Search the code",
    r".*journalctl": "Read the log",
    r".*sqlite3 ": "Query the database",
    r"ls |.* ls ": "List files",
    r"(?:.* )?python ": "Try it",
}


def _purpose(command: str) -> dict[str, str]:
    for pattern, words in _PURPOSES.items():
        match = re.match(pattern, command)
        if match:
            return {"description": words.format(*match.groups())}
    return {}


def _with_ids(todos: Todos) -> list[dict[str, str]]:
    return [{"id": str(number), "content": text, "status": status, "priority": "medium"} for number, (text, status) in enumerate(todos, 1)]


def _current_list(todos: Todos) -> str:
    listed = "\n".join(f"{number}. [{status}] {text}" for number, (text, status) in enumerate(todos, 1))
    return f"Successfully updated the todo list. The current list is now:\n{listed}"


DIALECTS: Mapping[str, Dialect] = {
    "claude-code": Dialect(
        read=lambda path, first, last: ("Read", {"file_path": path, **_stretch(first, last, lines_from=1)}),
        write=lambda path, text: ("Write", {"file_path": path, "content": text}),
        edit=lambda path, old, new: ("Edit", {"replace_all": False, "file_path": path, "old_string": old, "new_string": new}),
        run=lambda command, folder: ("Bash", {"command": command, **_purpose(command)}),
        plan=lambda todos: ("TodoWrite", {"todos": [{"content": text, "status": status, "activeForm": text} for text, status in todos]}),
        shown=_numbered("{:6d}→{}"),
        written="File created successfully at: {path}",
        changed="The file {path} has been updated successfully.",
        planned=lambda todos: (
            "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. "
            "Please proceed with the current tasks if applicable"
        ),
        failed="Exit code {code}\n",
    ),
    "codex": Dialect(
        read=lambda path, first, last: ("exec_command", {"cmd": f"sed -n '{first},{last}p' {path}"}),
        write=_new_file,
        edit=_patch,
        run=lambda command, folder: ("exec_command", {"cmd": command, "workdir": folder, "yield_time_ms": 10_000}),
        plan=lambda todos: ("update_plan", {"plan": [{"step": text, "status": status} for text, status in todos]}),
        shown=_PLAIN,
        written="Success. Updated the following files:\nA {path}",
        changed="Success. Updated the following files:\nM {path}",
        planned=lambda todos: "Plan updated",
        relative=True,
    ),
    "gemini-cli": Dialect(
        read=lambda path, first, last: ("read_file", {"file_path": path, **_stretch(first, last, lines_from=0)}),
        write=lambda path, text: ("write_file", {"file_path": path, "content": text}),
        edit=lambda path, old, new: ("replace", {"file_path": path, "old_string": old, "new_string": new}),
        run=lambda command, folder: ("run_shell_command", {"command": command, **_purpose(command)}),
        plan=lambda todos: ("write_todos", {"todos": [{"description": text, "status": status} for text, status in todos]}),
        shown=_PLAIN,
        written="Successfully created and wrote to new file: {path}.",
        changed="Successfully modified file: {path} (1 replacements).",
        planned=_current_list,
        relative=True,
    ),
    "opencode": Dialect(
        read=lambda path, first, last: ("read", {"filePath": path, **_stretch(first, last, lines_from=0)}),
        write=lambda path, text: ("write", {"filePath": path, "content": text}),
        edit=lambda path, old, new: ("edit", {"filePath": path, "oldString": old, "newString": new}),
        run=lambda command, folder: ("bash", {"command": command, **_purpose(command)}),
        plan=lambda todos: ("todowrite", {"todos": _with_ids(todos)}),
        shown=_in_file,
        written="Wrote file successfully.",
        changed="Edit applied successfully.",
        planned=lambda todos: json.dumps(_with_ids(todos), indent=2, ensure_ascii=False),
    ),
    "copilot-cli": Dialect(
        read=lambda path, first, last: ("view", {"path": path, **({"view_range": [first, last]} if first > 1 else {})}),
        write=lambda path, text: ("create", {"path": path, "file_text": text}),
        edit=lambda path, old, new: ("edit", {"path": path, "old_str": old, "new_str": new}),
        run=lambda command, folder: ("bash", {"command": command, **_purpose(command)}),
        plan=lambda todos: ("update_todo", {"todos": "\n".join(f"- [{_BOX_OF[status]}] {text}" for text, status in todos)}),
        shown=_numbered("{}. {}"),
        written="Created file {path}",
        changed="File {path} updated with changes.",
        planned=lambda todos: "TODO list updated.",
    ),
}
