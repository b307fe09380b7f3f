"""Files that a script given to Python on the command line writes, as far as its words tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

READ = 20_000  # characters of a script
WRITES = 30  # paths

_STRING = r"[rRbBuU]{0,2}(?P<quote>['\"])(?P<path>[^'\"\n]{1,300})(?P=quote)"
_OPEN = re.compile(r"\bopen\(\s*(?:" + _STRING + r"|(?P<name>[A-Za-z_]\w{0,60}))\s*,\s*(?:mode\s*=\s*)?['\"](?:[wax]|r\+)[bt+]{0,2}['\"]")
_WRITE = re.compile(
    r"(?:\bPath\(\s*(?:" + _STRING + r"|(?P<name>[A-Za-z_]\w{0,60}))\s*\)|\b(?P<own>[A-Za-z_]\w{0,60}))"
    r"\.write_(?:text|bytes)\("
)
_NAMED = re.compile(r"^[ \t]*(?P<name>[A-Za-z_]\w{0,60})\s*=\s*(?:[\w.]{1,40}\(\s*)?" + _STRING, re.M)
_FUNCTION = re.compile(r"^[ \t]*def (?P<function>\w{1,60})\(\s*(?P<name>[A-Za-z_]\w{0,60})\b", re.M)
_OVER = re.compile(r"\bfor (?P<name>[A-Za-z_]\w{0,60}) in [\[(](?P<items>[^\])\n]{1,1000})[\])]")


def written(script: str) -> list[str]:
    """The paths that a Python script opens for writing, in order: those it names, also through a variable, a function's first
    argument, or a list that it goes through."""
    script = script[:READ]
    found: dict[str, None] = {}
    for match in (*_OPEN.finditer(script), *_WRITE.finditer(script)):
        groups = match.groupdict()
        name = groups.get("own") or groups["name"]
        for path in [groups["path"]] if groups["path"] else _meant(script, name):
            found.setdefault(path)
    return list(found)[:WRITES]


def _meant(script: str, name: str) -> Iterator[str]:
    """What a name stands for."""
    for match in _NAMED.finditer(script):
        if match["name"] == name:
            yield match["path"]
    for match in _OVER.finditer(script):
        if match["name"] == name:
            yield from (item["path"] for item in re.finditer(_STRING, match["items"]))
    for match in _FUNCTION.finditer(script):
        if match["name"] == name:
            called = re.compile(rf"(?<!def )\b{re.escape(match['function'])}\(\s*" + _STRING)
            yield from (call["path"] for call in called.finditer(script))
