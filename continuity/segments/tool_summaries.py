"""Tool calls in a few words: "edited x.py", "ran `pytest` → failed (exit 1): “2 failed”"."""

from __future__ import annotations

from collections.abc import Sequence

from continuity.knowledge.extractors.shell import parser
from continuity.knowledge.extractors.shell.paths import relative
from continuity.knowledge.extractors.tools import edits, tool_names, verification
from continuity.knowledge.extractors.tools.commands import BRIEF, only_looks, printed, script, tidied
from continuity.knowledge.language.clip import one_line
from continuity.knowledge.model import FileAction
from continuity.segments.units import Speaker, Unit
from continuity.transcripts.base.model import Message, Part

COMMAND = 110
LOOKED_AT = 600  # of a command, however long it is
RESULT = 140
SHOWN = 90  # of what a command printed that neither failed nor checked anything
ARGUMENT = 70
# The argument of a call that says best what it does, in the order of trying.
TELLING = ("command", "cmd", "pattern", "query", "url", "description", "path", "file_path", "prompt", "subject")
# What a deed is worth to somebody who goes on.
CHANGED, READ, OTHER = 0.7, 0.1, 0.25
CHECKED, CHECK_FAILED, COMMAND_RUN, COMMAND_FAILED = 0.8, 0.95, 0.3, 0.6


def says_nothing(call: Part) -> bool:
    """Whether the result of a call only acknowledges it, unless it failed."""
    name = tool_names.plain_name(call.name)
    if name in tool_names.LISTS or name in tool_names.UPDATE_TASK:
        return True
    return any(effect.action is not FileAction.READ for effect in edits.effects(name, call.input))


def summaries(seq: int, index: int, message: Message, result: Part | None) -> list[Unit]:
    """A call, part `index` of message `seq`, told with its result where it is known; keeping a task list is no deed."""
    part = message.parts[index]
    name = tool_names.plain_name(part.name)
    if name in tool_names.SHELL:
        return [_command(seq, index, part, result)]
    if name in tool_names.LISTS or name in tool_names.UPDATE_TASK:
        return []
    changes = edits.effects(name, part.input)
    if changes:
        failed = result is not None and bool(result.failed or result.exit_code)
        return [
            _unit(
                *(seq, index, "failed to change" if failed else effect.action.value),
                _named(relative(effect.path, message.cwd, message.cwd), effect.action, effect.note),
                READ if effect.action is FileAction.READ else CHANGED,
            )
            for effect in changes[:20]
        ]
    given = tool_names.first(part.input, *TELLING)
    if not given:
        return [_unit(seq, index, "called", part.name[:60], READ)]
    return [_unit(seq, index, "called", f"{part.name[:60]} “{one_line(given, ARGUMENT)}”", OTHER)]


def _named(path: str, action: FileAction, note: str) -> str:
    return f"{path} (from {note})" if action is FileAction.RENAMED and note else path


def _command(seq: int, index: int, part: Part, result: Part | None) -> Unit:
    """A command with how it ended and, of a check or a failure, what summed it up."""
    words = script(part.input)
    commands = parser.parse(words)
    checks = verification.kind_of(commands) > 0
    told = f"`{_tidied(words)}`"
    if result is None:
        return _unit(seq, index, "ran", told, COMMAND_RUN)
    failed = bool(result.exit_code) or (result.exit_code is None and result.failed is True)
    passed: bool | None = not failed
    if checks:
        passed = verification.outcome(result.text, result.exit_code, result.failed, verification.is_piped(commands))
    code = f" (exit {result.exit_code})" if result.exit_code else ""
    outcome = {True: " → passed" if checks else "", False: f" → failed{code}", None: ""}[passed]
    text = printed(result.text)
    summary = one_line(verification.summary(text), RESULT) if checks or passed is False else _shown(text, commands)
    return _unit(seq, index, "ran", f"{told}{outcome}{f': “{summary}”' if summary else ''}", _worth(checks, passed))


def _tidied(words: str) -> str:
    """The beginning of a command on one line, without what is about its output."""
    line = one_line(words, LOOKED_AT)
    return one_line(tidied(line), COMMAND)


def _shown(text: str, commands: list[parser.Simple]) -> str:
    """The output of a command: a short output whole, of a long one that is no file or list the line that sums it up."""
    if len(text) > BRIEF:
        return "" if all(only_looks(command) for command in commands) else one_line(verification.summary(text), SHOWN)
    return one_line(text, SHOWN)


def _worth(checks: bool, passed: bool | None) -> float:
    if checks:
        return CHECK_FAILED if passed is False else CHECKED
    return COMMAND_FAILED if passed is False else COMMAND_RUN


def _unit(seq: int, index: int, verb: str, text: str, weight: float) -> Unit:
    return Unit(seq, index, 0, Speaker.DEED, text, weight, verb=verb)


def joined(units: Sequence[Unit]) -> str:
    """Deeds that follow one another as one line: those of one kind together, each once."""
    groups: list[tuple[str, list[str]]] = []
    for unit in units:
        if not groups or groups[-1][0] != unit.verb:
            groups.append((unit.verb, []))
        if unit.text not in groups[-1][1]:
            groups[-1][1].append(unit.text)
    line = "; ".join(f"{verb} {', '.join(objects)}" for verb, objects in groups)
    return f"{line[:1].upper()}{line[1:]}."
