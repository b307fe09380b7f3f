"""Names that an edit defines: functions, classes, types, tables, constants of the common languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from continuity.distill.items import Effect
from continuity.distill.model import FileAction

NAMES = 12  # kept of one edit
LONGEST = 60
READ = 60_000  # characters of a text

_DEFINED = re.compile(
    r"^[ \t]{0,12}(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\([\w ]{1,20}\))?|override|open"
    r"|suspend|declare|unsafe|inline|virtual)\s+){0,5}"
    r"(?:(?:def|class|function\*?|interface|enum|struct|trait|fn|func|fun|module|object|protocol|record)\s+(?:\([^()\n]{0,60}\)\s*)?(?P<named>[A-Za-z_]\w{2,59})"
    r"|type\s+(?P<type>[A-Za-z_]\w{2,59})\s*(?:=|struct|interface|<)"
    r"|CREATE (?:TABLE|INDEX|VIEW|FUNCTION)\s+(?:IF NOT EXISTS\s+)?(?P<table>\w{3,59}))"
    r"|^(?:export )?(?:const|let|var) (?P<bound>[A-Za-z_]\w{2,59})\s*(?::[^=\n]{1,80})?=\s*"
    r"(?:async\b|function\b|\(|memo\(|React\.|[A-Za-z_]\w{0,30}\s*=>)"
    r"|^(?P<constant>[A-Z][A-Z0-9]*_[A-Z0-9_]{2,50})\s*(?::[^=\n]{1,40})?=",
    re.M,
)
_SIDE = re.compile(r"^(?P<side>[+-])(?![+-]{2})(?P<line>.*)$", re.M)
_ENVELOPE = re.compile(r"^\*\*\* (?:Add File|Update File|Delete File): (.+?)[ \t\r]*$", re.M)


def defined(text: str) -> tuple[str, ...]:
    """The names that a text defines, in order, each once."""
    found = (
        match["named"] or match["type"] or match["bound"] or match["table"] or match["constant"] for match in _DEFINED.finditer(text[:READ])
    )
    return tuple(dict.fromkeys(name[:LONGEST] for name in found if name))


def added(before: str, after: str) -> tuple[str, ...]:
    """The names that `after` defines and `before` does not."""
    known = frozenset(defined(before))
    return tuple(name for name in defined(after) if name not in known)[:NAMES]


def by_edit(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """What the arguments of an editing or writing tool newly define."""
    edits = arguments.get("edits")
    pairs = [arguments, *(each for each in edits if isinstance(each, Mapping))] if isinstance(edits, (list, tuple)) else [arguments]
    before = "\n".join(_first(pair, "old_string", "old_str", "oldString", "old_text", "search") for pair in pairs)
    after = "\n".join(
        _first(pair, "new_string", "new_str", "newString", "new_text", "replace", "content", "file_text", "contents") for pair in pairs
    )
    return added(before, after) if after.strip() else by_diff(_first(arguments, "diff"))


def by_diff(text: str) -> tuple[str, ...]:
    """What the added lines of a diff define and its removed lines do not."""
    sides: dict[str, list[str]] = {"+": [], "-": []}
    for match in _SIDE.finditer(text[:READ]):
        sides[match["side"]].append(match["line"].removeprefix(" "))
    return added("\n".join(sides["-"]), "\n".join(sides["+"]))


def with_symbols(found: list[Effect], text: str) -> list[Effect]:
    """The effects of an `apply_patch` text with the names that it defines in each file."""
    names = dict(by_patch(text))
    return [replace(each, symbols=names.get(each.note if each.action is FileAction.RENAMED else each.path, ())) for each in found]


def by_patch(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each file of an `apply_patch` text with the names that its hunks define."""
    heads = list(_ENVELOPE.finditer(text))
    for place, head in enumerate(heads):
        end = heads[place + 1].start() if place + 1 < len(heads) else len(text)
        yield head[1], by_diff(text[head.end() : end])


def _first(arguments: Mapping[str, Any], *names: str) -> str:
    return next((value for name in names if isinstance(value := arguments.get(name), str)), "")
