"""The lines marked as the person's: words, commands, and what aider itself puts there."""

from __future__ import annotations

import re

from continuity.transcripts.model import Voice
from continuity.transcripts.parts import Parts

_COMMAND = re.compile(r"(/[a-z][a-z-]{0,30})(?:\s+|\Z)|(!)(?=\S)")
# commands that are followed by words to the model
_TELLS = frozenset({"/ask", "/code", "/architect", "/context", "/help", "/chat-mode", "/ok"})
_CONFIRMS = re.compile(r"[^\n]{0,400}\(Y\)es/\(N\)o[^\n]*\Z")
_WATCH = re.compile(r'Find the "AI" comments below \(marked with')
_MARKED = "█"


def read_prompt(text: str, parts: Parts) -> None:
    """Adds a prompt: a command is aider's, the words after it are the person's; so are comments that aider marks in code."""
    first, _, rest = text.partition("\n")
    while _CONFIRMS.match(first):
        parts.text(first, Voice.HARNESS)
        text = rest
        first, _, rest = text.partition("\n")
    if _WATCH.match(text):
        _watched(text, parts)
    elif command := _COMMAND.match(text):
        name, rest = command.group().strip(), text[command.end() :]
        if name in _TELLS:
            parts.text(name, Voice.HARNESS, {"command": name})
            parts.words(rest)
        else:
            parts.text(text, Voice.HARNESS, {"command": name})
    else:
        parts.words(text)


def _watched(text: str, parts: Parts) -> None:
    run: list[str] = []
    marked = False
    for line in [*text.split("\n"), ""]:
        if run and (line.startswith(_MARKED) is not marked or not line):
            parts.text("\n".join(run), Voice.PERSON if marked else Voice.HARNESS)
            run = []
        marked = line.startswith(_MARKED)
        if line:
            run.append(line.removeprefix(_MARKED))
