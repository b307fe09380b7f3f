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
# Of its words, the share that another form of a command has, and one of another program: the same without what ran it.
SAME, SAME_WORDS = 0.5, 0.6

_NOT_UNDERSTOOD = PrefilteredPattern(
    r"^[^\n]{0,80}?(?:\b(?:unrecogni[sz]ed|unknown|no such|invalid|illegal|unsupported)"
    r" (?:sub-?command|command|option|flag|switch|shorthand flag|argument)s?\b"
    r"|\bunexpected argument\b|\baccepts (?:at (?:most|least) |exactly |between )?\d{1,2}\b[^\n]{0,20} arg|\btoo many arguments\b"
    r"|\bflag provided but not defined\b|\bcommand not found\b|\bmissing script:|\bis not a [\w-]{2,20} command\b)[^\n]{0,160}",
    re.I | re.M,
)
_WORD = re.compile(r"[\w@./:+-]+")
_LOOKS = frozenset(("which", "type", "command", "whereis", "man", "ls", "grep", "rg", "find", "cat", "echo"))
_CURES_NOTHING = frozenset(("rm", "rmdir", "mv", "cp", "mkdir", "touch", "chmod", "kill", "pkill"))
_HELP = frozenset(("--help", "-h", "-help", "help", "--version", "-V", "version"))
# Lines of a filter behind the command, and of what a test expects or names the place of.
_OF_OTHERS = re.compile(
    r"\s*(?:e?grep|rg|sed|awk|head|tail|cut|sort|tr|xargs|jq|column)\b|.*(?:\bFAIL|\bexpect|\bassert|\bpanic\b|\.\w{1,4}:\d)", re.I
)
# A program that the session itself may have built: run by its path but for those that were installed, or from its source.
_BUILT = re.compile(
    r"(?!.*(?:node_modules/|venv/bin/|/usr/|/opt/|/\.local/|gradlew|mvnw))[\w.~@-]*/\S+(?= |$)"
    r"|(?:go|cargo|dotnet|swift|deno) run\b|(?:python[\d.]*|node|bun|ruby|php|tsx|npx tsx|sh|bash) \S+\.\w{1,4}(?= |$)"
)


def observed(step: FoldStep, command: str, text: str, *, failed: bool) -> None:
    """Enter a command that was not understood, or the one that was run instead of it. `command` is without what is about its output."""
    if not (words := _WORD.findall(command)) or words[0] in _LOOKS:
        return
    line = "" if _BUILT.match(command.strip()) else _line(text, failed=failed)
    known = step.state.misused
    if line:
        key = digest(f"{words[0]}|{line}")
        known.put(key, replace(known.get(key) or MisusedCommand(one_line(command, COMMAND), step.seq, line), seq=step.seq))
        return
    if failed or words[0] in _CURES_NOTHING or _HELP & {*words}:
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
    return one_line(found[0], TOLD) if found and not _OF_OTHERS.match(found[0]) else ""


def _is_alike(before: list[str], words: list[str]) -> bool:
    """Whether a command is another form of one before: of the same program and part of it, or of another program with most of its words."""
    shared = len({*before} & {*words}) / len({*before})
    if before[0] != words[0]:
        return shared >= SAME_WORDS
    return before[1:2] == words[1:2] and shared >= SAME
