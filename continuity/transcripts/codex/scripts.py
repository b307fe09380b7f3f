"""Calls that newer versions of Codex write as a script: `const r = await tools.exec_command({cmd: "git status"}); text(r.output)`.

Only literals are read, and names that the script sets to one: what a script computes is not known, and a call with a computed command
stays the script that it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
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
_SHELL = frozenset(("exec_command", "shell", "shell_command", "local_shell"))
_PATCH = "apply_patch"


class _Computed(Exception):
    """Raised where an expression is no literal."""


@dataclass(frozen=True, slots=True)
class ScriptCall:
    """The tool that a script calls and its arguments; of several commands and patches one shell script that does the same."""

    name: str
    arguments: Mapping[str, Any]


def calls_in(script: str) -> ScriptCall | None:
    """The tool calls in a script; None where it calls none, or where what it does can't be read."""
    calls = list(_calls(script))
    work = [call for call in calls if call.name in _SHELL or call.name == _PATCH]
    if not work:
        return calls[0] if len(calls) == 1 else None
    if len(work) == 1:
        return work[0]
    first = next((call.arguments for call in work if call.name in _SHELL), {})
    return ScriptCall("exec_command", {**first, "cmd": "\n".join(map(_as_shell, work))})


def _calls(script: str) -> Iterator[ScriptCall]:
    reader = _Reader(script)
    for name, at in reader.calls:
        try:
            given = reader.value(at)[0]
        except _Computed:
            continue
        if name == _PATCH:
            patch = given if isinstance(given, str) else _text(given, "input", "patch")
            if patch:
                yield ScriptCall(name, {"patch": patch})
        elif name in _SHELL:
            if _text(given, "cmd", "command"):
                yield ScriptCall(name, given)
        elif isinstance(given, dict):
            yield ScriptCall(name, given)


def _text(given: Any, *names: str) -> str:
    return next((given[name] for name in names if isinstance(given.get(name), str)), "") if isinstance(given, dict) else ""


def _as_shell(call: ScriptCall) -> str:
    if call.name == _PATCH:
        return f"apply_patch <<'PATCH'\n{call.arguments['patch'].rstrip()}\nPATCH"
    return _text(call.arguments, "cmd", "command")


class _Reader:
    """Reads literals of a script. Time grows with the length of what is read."""

    def __init__(self, script: str) -> None:
        self._script = script
        self._set: dict[str, str] = {}
        self.calls: list[tuple[str, int]] = []  # the tools that are called, and where their arguments begin
        for token in _TOKEN.finditer(script):
            if token["set"] and (literal := _STRING.match(script, token.end())):
                with suppress(_Computed):
                    self._set[token["set"]] = self._decoded(literal[0])
            elif token["call"] and len(self.calls) < MAX_CALLS:
                self.calls.append((token["call"], token.end()))

    def value(self, at: int, depth: int = 0) -> tuple[Any, int]:
        """The literal that begins at a place, and where it ends. Raises _Computed."""
        at = self._behind_space(at)
        if depth > MAX_DEPTH or at >= len(self._script):
            raise _Computed
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
            raise _Computed
        return self._set.get(name[0], _CONSTANTS.get(name[0])), name.end()

    def _joined(self, text: str, at: int, depth: int) -> tuple[str, int]:
        """A string with those that are added to it."""
        behind = self._behind_space(at)
        if self._script[behind : behind + 1] != "+":
            return text, at
        more, end = self.value(behind + 1, depth + 1)
        if not isinstance(more, str):
            raise _Computed
        return text + more, end

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        while True:
            at = self._behind_space(at)
            if self._script[at : at + 1] == "}":
                return found, at + 1
            key = _STRING.match(self._script, at) or _NAME.match(self._script, at)
            if key is None:
                raise _Computed
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
            raise _Computed
        return self._set[found[1]].replace("\\", "\\\\")

    def _behind_comma(self, at: int, end: str) -> int:
        at = self._behind_space(at)
        if self._script[at : at + 1] == ",":
            return at + 1
        if self._script[at : at + 1] != end:
            raise _Computed
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
