"""Commands that their program did not understand, and what worked instead: each session would learn it anew."""

from __future__ import annotations

import re
from dataclasses import replace

from continuity.knowledge.anchors.keys import digest
from continuity.knowledge.evidence import MisusedCommand
from continuity.knowledge.language.clip import one_line
from continuity.knowledge.rules.prefilter import PrefilteredPattern
from continuity.knowledge.state.step import FoldStep

COMMAND, TOLD = 160, 160  # characters
READ, SHORT = 2000, 700  # characters of an output that are read, and of one that says nothing else
WITHIN = 12  # messages within which a command is run instead
SAME = 0.5  # of its words that the other has

_NOT_UNDERSTOOD = PrefilteredPattern(
    r"^[^\n]{0,80}?(?:\b(?:unrecogni[sz]ed|unknown|no such|invalid|illegal|unsupported)"
    r" (?:sub-?command|command|option|flag|switch|shorthand flag|argument)s?\b"
    r"|\bunexpected argument\b|\baccepts (?:at (?:most|least) |exactly |between )?\d{1,2}\b[^\n]{0,20} arg|\btoo many arguments\b"
    r"|\bflag provided but not defined\b|\bcommand not found\b|\bmissing script:|\bis not a [\w-]{2,20} command\b)[^\n]{0,160}",
    re.I | re.M,
)
_WORD = re.compile(r"[\w@./:+-]+")
_LOOKS = frozenset(("which", "type", "command", "whereis", "man", "ls", "grep", "rg", "find", "cat", "echo"))


def observed(step: FoldStep, command: str, text: str, *, failed: bool) -> None:
    """Enter a command that was not understood, or the one that was run instead of it. `command` is without what is about its output."""
    if not (words := _WORD.findall(command)) or words[0] in _LOOKS:
        return
    line = _line(text, failed=failed)
    known = step.state.misused
    if line:
        key = digest(f"{words[0]}|{line}")
        known.put(key, replace(known.get(key) or MisusedCommand(one_line(command, COMMAND), step.seq, line), seq=step.seq))
        return
    if failed:
        return
    for key, before in known.items():
        others = _WORD.findall(before.command)
        if others == words:
            known.pop(key)  # it is understood by now
        elif not before.instead and step.seq - before.seq <= WITHIN and _is_alike(others, words):
            known.replace(key, replace(before, instead=one_line(command, COMMAND)))


def _line(text: str, *, failed: bool) -> str:
    """The line that says that a command was not understood, empty where there is none; of a long output that ended well any line may."""
    window = text.strip()[:READ]
    if not failed and len(window) > SHORT:
        return ""
    found = _NOT_UNDERSTOOD.search(window, window.lower())
    return one_line(found[0], TOLD) if found else ""


def _is_alike(before: list[str], words: list[str]) -> bool:
    """Whether a command is another form of one before: of the same program, or with most of its words."""
    return before[0] == words[0] or len({*before} & {*words}) >= SAME * len({*before})
