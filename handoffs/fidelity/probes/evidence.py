"""Evidence in tool calls, whatever the tools are called: by the form of their arguments and results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from continuity.transcripts.base.model import Part

LONGEST = 200
TAIL = 4000
ITEMS = 12

_PATHS = ("file_path", "path", "filePath", "notebook_path", "target_file", "absolute_path", "filename", "TargetFile")
_COMMANDS = ("command", "cmd", "script", "CommandLine")
_NEW_WORDS = frozenset(
    ("content", "new_string", "newString", "new_str", "file_text", "edits", "code_edit", "diff", "replacement", "new_source", "insert_text")
)
_PASSING = re.compile(r"/(?:dev|tmp|proc)/")
_ASIDE = re.compile(r"^(?:cd \S+\s*(?:&&|;)\s*|\w+=\S*\s+|sudo |timeout \S+ )+")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update) File: (.+)$", re.M)
_REDIRECTED = re.compile(r"(?:^|[\s&|;])(?:cat|echo|printf)\b[^|;&\n]*?>{1,2}\s*([\w./-]+\.\w+)|\btee (?:-a )?([\w./-]+\.\w+)")
_FAULT = re.compile(
    r"^.{0,40}?\b((?:[A-Za-z_][\w.]*)?(?:Error|Exception|Failure|Violation)\b.*"
    r"|(?:fatal|error|panic|E)\b ?(?:\[\w+\])?: .*|FAILED \S.*)$",
    re.M,
)
_CHECKS = re.compile(
    r"\b(?:pytest|unittest|jest|vitest|mocha|rspec|phpunit|ctest|tsc|mypy|ruff|eslint|flake8|clippy|"
    r"(?:go|cargo|npm|yarn|pnpm|make|mvn|gradle|dotnet|bun|deno|tox|just)\b[^|;&\n]{0,30}\b(?:tests?|check|lint|build|vet))\b"
)
_OPEN = frozenset(("pending", "in_progress", "todo", "not_started", "not-started", "in-progress", "open", "active"))
_SAID = re.compile(r'"([^"\n]{4,300})"\s*=\s*"([^"\n]{2,300})"')


def command_of(part: Part) -> str:
    """The command line of a call, on one line; empty where it runs none."""
    value = next((part.input[name] for name in _COMMANDS if name in part.input), "")
    words = " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return " ".join(words[:2000].split())[:LONGEST]


def doing(command: str) -> str:
    """What a command does, by its first words: what mends one failure of it is another run of it, with whatever arguments."""
    return " ".join(_ASIDE.sub("", command).split()[:2])


def changed_paths(part: Part) -> Sequence[str]:
    """The files that a call writes."""
    given = part.input
    if _NEW_WORDS & given.keys():
        return [str(given[name])[:LONGEST] for name in _PATHS if isinstance(given.get(name), str)][:1]
    scripts = [value[:TAIL] for value in given.values() if isinstance(value, str)]
    patched = [path.strip()[:LONGEST] for text in scripts for path in _PATCHED.findall(text)]
    command = next((given[name] for name in _COMMANDS if isinstance(given.get(name), str)), "")
    redirected = [path for found in _REDIRECTED.findall(command[:TAIL]) for path in found if path and not _PASSING.match(path)]
    return [*patched, *redirected][:ITEMS]


def fault_of(part: Part) -> str:
    """The line of a result that says what went wrong; empty where none does."""
    lines = _FAULT.findall(part.text[-TAIL:])
    return " ".join(lines[-1].split())[:LONGEST] if lines else ""


def went_wrong(part: Part) -> bool | None:
    """Whether a call failed, where its result says so."""
    return part.exit_code != 0 if part.exit_code is not None else part.failed


def is_check(command: str) -> bool:
    return bool(_CHECKS.search(command))


def open_items(part: Part) -> list[str] | None:
    """The unfinished items of a list that a call writes; None where it writes none."""
    for value in part.input.values():
        if isinstance(value, list | tuple) and value and all(isinstance(item, Mapping) and "status" in item for item in value):
            return [words for item in value if str(item["status"]).lower() in _OPEN and (words := _named(item))][:ITEMS]
    return None


def _named(item: Mapping[str, Any]) -> str:
    found = next(
        (item[name] for name in ("content", "step", "title", "description", "text", "task") if isinstance(item.get(name), str)), ""
    )
    return " ".join(str(found).split())[:LONGEST]


def chosen(part: Part) -> Iterator[tuple[str, str]]:
    """The questions that a person answered through a tool, each with the answer."""
    told = part.data.get("answers")
    pairs = list(told.items()) if isinstance(told, Mapping) else []
    if not pairs and "answer" in part.text[: ITEMS * 10]:
        pairs = _SAID.findall(part.text[:TAIL])
    for question, answer in pairs[:ITEMS]:
        words = answer if isinstance(answer, str) else ""
        if len(words.strip()) > 1:
            yield " ".join(str(question).split())[:LONGEST], " ".join(words.split())[:LONGEST]
