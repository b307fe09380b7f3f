"""A plain reader of literals, and of the names in their places, in a script."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

MAX_CALLS = 20  # read of one script
MAX_DEPTH = 12  # of objects within one another
# Strings and comments are passed over whole, so that a call or a name within them is none; one that is not closed ends what is read.
_TOKEN = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?|`(?:[^`\\]|\\.)*+`?|//[^\n]*+|/\*.*?(?:\*/|\Z)"
    r"|\b(?:const|let|var)\s+(?P<set>[A-Za-z_$][\w$]*)\s*=\s*(?=[\"'`])|\btools\s*\.\s*(?P<call>[A-Za-z_]\w{0,120})\s*\(",
    re.S,
)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`", re.S)
_NUMBER = re.compile(r"-?\d[\d_]{0,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_INSERTED = re.compile(r"(?<!\\)\$\{\s*(?:([A-Za-z_$][\w$]*)\s*\})?")
_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.S)
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r?\n)|(.))", re.S)
_MEANS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_CONSTANTS = {"true": True, "false": False, "null": None, "undefined": None}


class ComputedValue(Exception):
    """Raised where an expression is no literal."""


class ScriptReader:
    """Reads literals of a script. Time grows with the length of what is read."""

    def __init__(self, script: str) -> None:
        self._script = script
        self._set: dict[str, str] = {}
        self.calls: list[tuple[str, int]] = []  # the tools that are called, and where their arguments begin
        for token in _TOKEN.finditer(script):
            if token["set"] and (literal := _STRING.match(script, token.end())):
                with suppress(ComputedValue):
                    self._set[token["set"]] = self._decoded(literal[0])
            elif token["call"] and len(self.calls) < MAX_CALLS:
                self.calls.append((token["call"], token.end()))

    def value(self, at: int, depth: int = 0) -> tuple[Any, int]:
        """The literal that begins at a place, and where it ends. Raises _Computed."""
        at = self._behind_space(at)
        if depth > MAX_DEPTH or at >= len(self._script):
            raise ComputedValue
        first = self._script[at]
        if first == "{":
            return self._object(at + 1, depth)
        if first == "[":
            return self._array(at + 1, depth)
        if literal := _STRING.match(self._script, at):
            return self._joined(self._decoded(literal[0]), literal.end(), depth)
        if number := _NUMBER.match(self._script, at):
            digits = number[0].replace("_", "")
            return (float(digits) if set(digits) & set(".eE") else int(digits)), number.end()
        name = _NAME.match(self._script, at)
        if name is None or (name[0] not in self._set and name[0] not in _CONSTANTS):
            raise ComputedValue
        return self._set.get(name[0], _CONSTANTS.get(name[0])), name.end()

    def _joined(self, text: str, at: int, depth: int) -> tuple[str, int]:
        """A string with those that are added to it."""
        behind = self._behind_space(at)
        if self._script[behind : behind + 1] != "+":
            return text, at
        more, end = self.value(behind + 1, depth + 1)
        if not isinstance(more, str):
            raise ComputedValue
        return text + more, end

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        while True:
            at = self._behind_space(at)
            if self._script[at : at + 1] == "}":
                return found, at + 1
            key = _STRING.match(self._script, at) or _NAME.match(self._script, at)
            if key is None:
                raise ComputedValue
            name = self._decoded(key[0]) if key[0][0] in "\"'`" else key[0]
            at = self._behind_space(key.end())
            if self._script[at : at + 1] == ":":
                found[name], at = self.value(at + 1, depth + 1)
            elif name in self._set:
                found[name] = self._set[name]
            at = self._behind_comma(at, "}")

    def _array(self, at: int, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        while True:
            at = self._behind_space(at)
            if self._script[at : at + 1] == "]":
                return found, at + 1
            value, at = self.value(at, depth + 1)
            found.append(value)
            at = self._behind_comma(at, "]")

    def _decoded(self, literal: str) -> str:
        """The words of a string literal, with the names that a template inserts. Raises _Computed where it inserts anything else."""
        words = literal[1:-1]
        return _ESCAPE.sub(_unescaped, _INSERTED.sub(self._inserted, words) if literal[0] == "`" else words)

    def _inserted(self, found: re.Match[str]) -> str:
        if found[1] not in self._set:
            raise ComputedValue
        return self._set[found[1]].replace("\\", "\\\\")

    def _behind_comma(self, at: int, end: str) -> int:
        at = self._behind_space(at)
        if self._script[at : at + 1] == ",":
            return at + 1
        if self._script[at : at + 1] != end:
            raise ComputedValue
        return at

    def _behind_space(self, at: int) -> int:
        space = _SPACE.match(self._script, at)
        return space.end() if space else at


def _unescaped(found: re.Match[str]) -> str:
    wide, four, two, newline, plain = found.groups()
    if digits := wide or four or two:
        code = int(digits, 16)
        return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"
    return "" if newline else _MEANS.get(plain, plain)
