"""Names that an edit defines: functions, classes, types, tables, constants of the common languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from continuity.knowledge.model import FileAction
from continuity.knowledge.state.open_items import Effect

NAMES = 12  # kept of one edit
LONGEST = 100
READ = 60_000  # characters of a text

_MODIFIER = (
    r"export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\([\w ]{1,20}\))?|override|open|suspend|declare"
    r"|unsafe|inline|virtual|sealed|data|partial|const"
)
# What follows a defined name in code and not in prose.
_CODE = r"(?=[ \t]{0,8}(?:[(:{<\[;=?!|]|\r?$)|[ \t]+(?:extends|implements|where|with|do)\b)"
_DEFINED = re.compile(
    rf"^[ \t]{{0,12}}(?:(?:{_MODIFIER})\s+){{0,5}}"
    r"(?:(?:def|class|function\*?|interface|enum(?: class| struct)?|struct|trait|fn|func|fun|module|object|protocol|record)\s+"
    rf"(?:\([^()\n]{{0,60}}\)\s*)?(?:self\.)?(?P<named>[A-Za-z_]\w{{2,99}}){_CODE}"
    r"|type\s+(?P<type>[A-Za-z_]\w{2,59})\s*(?:=|struct|interface|<))"
    r"|^(?:export )?(?:const|let|var) (?P<bound>[A-Za-z_]\w{2,59})\s*(?::[^=\n]{1,80}(?:=>[^=\n]{1,80})?)?=\s*"
    r"(?:async\b|function\b|\(|memo\(|React\.|[A-Za-z_]\w{0,30}\s*=>)"
    r"|^(?:(?:export|pub|const|static) ){0,3}(?P<constant>[A-Z][A-Z0-9]*_[A-Z0-9_]{2,50})\s*(?::[^=\n]{1,40})?=(?!=)",
    re.M,
)
_TABLE = re.compile(
    r"^[ \t]{0,12}CREATE (?:OR REPLACE )?(?:(?:UNIQUE|TEMP|TEMPORARY|MATERIALIZED) )?(?:TABLE|INDEX|VIEW|FUNCTION|TYPE|TRIGGER)\s+"
    r"(?:CONCURRENTLY )?(?:IF NOT EXISTS\s+)?(?:[\"`\[]?\w{1,40}[\"`\]]?\.)?[\"`\[]?(?P<named>\w{3,59})[\"`\]]?"
    r"\s{0,8}(?:\(|AS\b|ON\b|USING\b|BEFORE\b|AFTER\b)",
    re.M | re.I,
)
_SIDE = re.compile(r"^(?P<side>[+-])(?![+-]{2})(?P<line>.*)$", re.M)
_SEARCH = "<<<<<<< SEARCH"
_NEW = re.compile(r"^\+\+\+ (?:b/)?(\S+)[^\n]*$", re.M)
_ENVELOPE = re.compile(r"^\*\*\* (?:Add File|Update File|Delete File): (.+?)[ \t\r]*$", re.M)


def defined(text: str) -> tuple[str, ...]:
    """The names that a text defines, in order, each once."""
    text = text[:READ]
    places = [(match.start(), match[match.lastgroup or 0]) for pattern in (_DEFINED, _TABLE) for match in pattern.finditer(text)]
    return tuple(dict.fromkeys(name[:LONGEST] for _, name in sorted(places)))


def added(before: str, after: str) -> tuple[str, ...]:
    """The names that `after` defines and `before` does not."""
    known = frozenset(defined(before))
    return tuple(name for name in defined(after) if name not in known)[:NAMES]


def by_edit(arguments: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the arguments of an editing or writing tool newly define, and what they define no longer."""
    edits = arguments.get("edits")
    pairs = [arguments, *(each for each in edits if isinstance(each, Mapping))] if isinstance(edits, (list, tuple)) else [arguments]
    before = "\n".join(_first(pair, "old_string", "old_str", "oldString", "old_text", "search") for pair in pairs)
    after = "\n".join(
        _first(pair, "new_string", "new_str", "newString", "new_text", "replace", "content", "file_text", "contents") for pair in pairs
    )
    if before.strip() or after.strip():
        return added(before, after), added(after, before)
    return by_diff(_first(arguments, "diff")), ()


def by_diff(text: str) -> tuple[str, ...]:
    """What the added lines of a diff define and its removed lines do not."""
    sides: dict[str, list[str]] = {"+": [], "-": []}
    if _SEARCH in text:
        return _by_blocks(text[:READ], sides)
    for match in _SIDE.finditer(text[:READ]):
        sides[match["side"]].append(match["line"].removeprefix(" "))
    return added("\n".join(sides["-"]), "\n".join(sides["+"]))


def _by_blocks(text: str, sides: dict[str, list[str]]) -> tuple[str, ...]:
    """What blocks of search and replacement define: what stands between `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`."""
    side = ""
    for line in text.split("\n"):
        if line.startswith((_SEARCH, ">>>>>>>")):
            side = "-" if line.startswith(_SEARCH) else ""
        elif side == "-" and line.startswith("======="):
            side = "+"
        elif side:
            sides[side].append(line)
    return added("\n".join(sides["-"]), "\n".join(sides["+"]))


def with_symbols(found: list[Effect], text: str) -> list[Effect]:
    """The effects of an `apply_patch` text or a unified diff with the names that it defines in each file."""
    names = dict(by_patch(text))
    return [replace(each, symbols=names.get(each.note if each.action is FileAction.RENAMED else each.path, ())) for each in found]


def by_patch(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each file of an `apply_patch` text or a unified diff with the names that its hunks define."""
    heads = list(_ENVELOPE.finditer(text)) or list(_NEW.finditer(text))
    for place, head in enumerate(heads):
        end = heads[place + 1].start() if place + 1 < len(heads) else len(text)
        yield head[1], by_diff(text[head.end() : end])


def _first(arguments: Mapping[str, Any], *names: str) -> str:
    return next((value for name in names if isinstance(value := arguments.get(name), str)), "")
