"""Calls that newer versions of Codex write as a script: `const r = await tools.exec_command({cmd: "git status"}); text(r.output)`.

Only literals are read, and names that the script sets to one: what a script computes is not known, and a call with a computed command
stays the script that it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from continuity.transcripts.codex.script_literals import ComputedValue, ScriptReader

_SHELL = frozenset(("exec_command", "shell", "shell_command", "local_shell"))
_PATCH = "apply_patch"


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
    reader = ScriptReader(script)
    for name, at in reader.calls:
        try:
            given = reader.value(at)[0]
        except ComputedValue:
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
