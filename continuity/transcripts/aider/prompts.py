"""The lines marked as the person's: words, commands, and what aider itself puts there."""

from __future__ import annotations

import re

from continuity.transcripts.base.model import Voice
from continuity.transcripts.base.parts import Parts

_COMMAND = re.compile(r"(/[a-z][a-z-]{0,30})(?:\s+|\Z)|(!)(?=\S)")
# commands that are followed by words to the model
_TELLS = frozenset({"/ask", "/code", "/architect", "/context", "/help", "/chat-mode", "/ok"})
_CONFIRMS = re.compile(r"[^\n]{0,400}\(Y\)es/\(N\)o[^\n]*\Z")
_WATCH = re.compile(r'Find the "AI" comments below \(marked with')
_MARKED = "█"
# A comment in code that asks the model to act ("AI!") or to answer ("AI?"), with the signs of a comment around it.
_COMMENT = re.compile(r"\s*(?://+|#+|--+|;+|/\*+|<!--)(?P<words>.*)")
_CLOSING = ("*/", "-->")
_MARKS = ("AI!", "AI?")
_SEARCHED, _REPLACED = re.compile(r"<{5,9} SEARCH\s*\Z"), re.compile(r"={5,9}\s*\Z")
LONGEST = 1000  # characters of a comment


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


def asked_in_code(answer: str) -> str:
    """The requests of the person in comments of the code, which an answer quotes in what it replaces; empty where it quotes none.

    Of a request that aider found in a file by itself its history keeps nothing else.
    """
    found: dict[str, None] = {}
    quoted = False
    for line in answer.split("\n"):
        if _SEARCHED.match(line) or _REPLACED.match(line):
            quoted = line.startswith("<")
        elif quoted and len(line) <= LONGEST and (words := _asked(line)):
            found[words] = None
    return "\n".join(found)


def _asked(line: str) -> str:
    """The words of a comment that begins or ends with a mark, without it."""
    comment = _COMMENT.match(line)
    words = comment["words"].strip() if comment else ""
    for sign in _CLOSING:
        words = words.removesuffix(sign).rstrip()
    for mark in _MARKS:
        if words.startswith(mark):
            return words.removeprefix(mark).strip()
        if words.endswith(f" {mark}"):
            return words.removesuffix(mark).strip()
    return ""
