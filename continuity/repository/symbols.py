"""Symbols that a file defines, by plain reading: one pattern a family of languages, line by line, so that time is linear in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from continuity.repository.words import cut

LINES = 20_000
LINE = 300  # characters of a line that are looked at: generated code has longer ones
SYMBOLS = 2_000
SIGNATURE = 110

_NAME = r"([A-Za-z_$][\w$]{0,99})"
_FAMILIES = {
    "go": rf"func (?:\([^()]{{0,120}}\) )?{_NAME}|type {_NAME}|(?:const|var) {_NAME}|\t([A-Z]\w{{0,99}}) +=? ?[A-Za-z*\[=]",
    "python": rf"\s{{0,16}}(?:async )?def {_NAME}|\s{{0,16}}class {_NAME}|([A-Z][A-Z0-9_]{{2,99}})(?:: [^=]{{1,80}})? = ",
    "script": (
        rf"(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*? {_NAME}"
        rf"|(?:class|interface|enum|type|namespace) {_NAME}|(?:const|let|var) {_NAME})"
        rf"|  (?:public |private |protected |static |readonly |async ){{0,6}}{_NAME}\([^)]{{0,120}}\)(?:: [^{{]{{1,80}})? \{{"
    ),
    "rust": (
        rf"\s{{0,16}}(?:pub(?:\([a-z]{{1,9}}\))? )?(?:async |unsafe |const ){{0,3}}"
        rf"(?:fn|struct|enum|trait|mod|type|static|const|union|macro_rules!) {_NAME}"
    ),
    "brace": (
        rf"\s{{0,8}}(?:(?:public|private|protected|internal|static|final|abstract|sealed|override|virtual|async|export|open|data|partial|inline)"
        rf" ){{0,6}}(?:(?:class|interface|enum|struct|record|trait|object|fun|func|protocol|extension|namespace|function|def) {_NAME}"
        rf"|[\w<>\[\],.*&]{{1,60}} [*&]?{_NAME}\([^;]{{0,200}}$)"
    ),
    "ruby": rf"\s{{0,16}}(?:def (?:self\.)?{_NAME}|(?:class|module) {_NAME})",
    "shell": rf"(?:function )?{_NAME} ?\(\)|(?:export )?([A-Z][A-Z0-9_]{{2,99}})=",
    "prose": r"#{1,4} (\S.{0,99})",
    "keys": r"([A-Za-z_][\w.-]{0,99}):(?:\s|$)|\[{1,2}([^\]\s]{1,100})\]{1,2}\s{0,9}$|  \"([^\"\s]{1,100})\": [\[{]",
    "query": rf"(?i:create (?:or replace )?(?:unique )?(?:table|view|index|function|type|procedure)(?: if not exists)?) {_NAME}",
}
_EXTENSIONS = {
    "go": "go",
    "python": "py pyi",
    "script": "js jsx ts tsx mjs cjs mts cts vue svelte",
    "rust": "rs",
    "brace": "java kt kts cs c h cc cpp cxx hpp hh m mm swift scala php dart groovy proto",
    "ruby": "rb rake",
    "shell": "sh bash zsh fish",
    "prose": "md markdown mdx",
    "keys": "yml yaml toml ini cfg json",
    "query": "sql",
}
FAMILY = {extension: family for family, extensions in _EXTENSIONS.items() for extension in extensions.split()}
_PATTERNS = {family: re.compile(pattern) for family, pattern in _FAMILIES.items()}
_LITERAL = re.compile(r"\"[^\"]*\"?|'[^']*'?|`[^`]*`?")
_VALUE = re.compile(r"\s(?::=|=)(?![=>]).*")
# Words that stand where a name stands in languages with braces.
_KEYWORDS = "if for while switch catch return else new function case with super constructor sizeof throw await"
_NO_NAMES = frozenset(_KEYWORDS.split())


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name that is defined at a line (from 1), with the line as it is written, without literals and values."""

    name: str
    line: int
    signature: str


def extension_of(path: str) -> str:
    """The extension in lower case, empty without one."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name.lstrip(".") else ""


def symbols(path: str, text: str) -> tuple[Symbol, ...]:
    """The symbols that the file at `path` defines, in the order of its lines; nothing for a family that is not known."""
    family = FAMILY.get(extension_of(path))
    return tuple(_found(family, text)) if family else ()


def _found(family: str, text: str) -> Iterator[Symbol]:
    match, left, fenced = _PATTERNS[family].match, SYMBOLS, False
    for number, line in enumerate(text.split("\n", LINES)[:LINES], 1):
        if family == "prose" and line.startswith("```"):
            fenced = not fenced
        if fenced or not (found := match(line[:LINE])):
            continue
        name = next(filter(None, found.groups()), "").strip()
        if not name or name in _NO_NAMES:
            continue
        yield Symbol(name, number, _signature(family, line))
        left -= 1
        if not left:
            return


def _signature(family: str, line: str) -> str:
    """Without what stands in quotes or is assigned: a value may be a secret, and says little of an interface."""
    if family in ("keys", "shell"):
        return ""
    line = cut(line, LINE)
    bare = line if family == "prose" else _VALUE.sub("", _LITERAL.sub("…", line))
    return cut("".join(c for c in bare if c.isprintable()).strip().removesuffix("{").strip(), SIGNATURE)
