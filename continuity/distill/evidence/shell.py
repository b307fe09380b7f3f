"""Splitting shell scripts into simple commands with their redirections and here-documents; tolerant and linear."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from continuity.distill.memo import remembered
from continuity.distill.wordset import word_set

LONGEST = 40_000  # characters of a script that are read

_TOKEN = re.compile(
    r"(?P<space>[ \t\r]+|\\\n)|(?P<comment>(?<![^\s;])#[^\n]*)|(?P<heredoc><<-?[ \t]*(?:'(?P<q1>[^'\n]+)'|\"(?P<q2>[^\"\n]+)"
    r"\"|\\?(?P<bare>[\w.]+)))|(?P<here><<<)"
    r"|(?P<op>\n|&&|\|\||;;|\|&?|;|&(?!>))|(?P<redirect>&?\d*>>?\|?(?:&\d?-?)?|\d*<(?![<(]))|(?P<single>'[^']*+'?)"
    r"|(?P<double>\"(?:[^\"\\]|\\.)*+\"?)|(?P<escape>\\.)|(?P<word>[^\s'\"\\|&;<>#()]++|[#()<>&\\])",
    re.S,
)
_SUBSTITUTED = re.compile(r"\$\(\s*cat\s+<<-?\s*(['\"]?)(\w+)\1[^\n]*\n")
_KEYWORDS = word_set(
    """
    if then else elif fi for while until do done case esac in function { } ( ) ! time
    """
)
_PREFIXES = frozenset(["sudo", "env", "nohup", "command", "exec", "time", "nice", "builtin", "stdbuf", "xvfb-run", "doas"])
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_SHELLS = frozenset(("bash", "sh", "zsh", "dash", "/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash"))


@dataclass(slots=True)
class Simple:
    """One simple command: its words, files it writes or appends to, its here-document, and the operator before it."""

    words: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    appends: list[str] = field(default_factory=list)
    body: str = ""
    before: str = ""

    @property
    def program(self) -> str:
        return self.words[0].rsplit("/", 1)[-1] if self.words else ""


@remembered
def parse(script: str) -> list[Simple]:
    """The simple commands of a script in order, not to be changed; keywords, prefixes such as `sudo` and assignments are left out."""
    script = _without_substituted(script[:LONGEST])
    commands: list[Simple] = []
    current = Simple()
    word: list[str] | None = None
    target = ""
    waiting: list[tuple[str, Simple]] = []
    nested = 0  # brackets open within the word
    position = 0

    def close_word() -> None:
        nonlocal word, target, nested
        nested = 0
        if word is None:
            return
        text = "".join(word)
        if target:
            (current.appends if ">>" in target else current.writes).append(text) if ">" in target else None
            target = ""
        else:
            current.words.append(text)
        word = None

    while position < len(script):
        match = _TOKEN.match(script, position)
        if match is None:
            position += 1
            continue
        position = match.end()
        kind = match.lastgroup
        if match["heredoc"]:
            close_word()
            waiting.append((match["q1"] or match["q2"] or match["bare"], current))
        elif match.group() == "(" and word is None and not current.words:
            pass  # begins a group of commands
        elif match.group() == ")" and not nested:
            close_word()  # ends one
        elif kind in ("single", "double", "escape", "word"):
            word = [] if word is None else word
            word.append(_unquoted(match.group(), kind))
            nested += {"(": 1, ")": -1}.get(match.group(), 0)
        elif kind == "op":
            close_word()
            if match.group() == "\n" and waiting:
                position = _read_bodies(script, position, waiting)
                waiting = []
            if current.words or current.writes or current.appends:
                commands.append(current)
            current = Simple(before=match.group())
            target = ""
        else:
            close_word()
            if kind == "redirect":
                target = (
                    ""
                    if (match.group().rstrip("-")[-1:].isdigit() and "&" in match.group()) or match.group().endswith("&-")
                    else match.group()
                )
    close_word()
    if current.words or current.writes or current.appends:
        commands.append(current)
    return [c for c in (_bare(c) for c in commands) if c.words or c.writes or c.appends]


def _read_bodies(script: str, position: int, waiting: list[tuple[str, Simple]]) -> int:
    """Give each waiting command its here-document, which begins at `position`; returns where the last one ends."""
    for delimiter, command in waiting:
        end = re.compile(r"^[ \t]*" + re.escape(delimiter) + r"[ \t]*$", re.M).search(script, position)
        stop = end.start() if end else len(script)
        command.body = script[position:stop]
        position = end.end() + 1 if end else len(script)
    return position


def _without_substituted(script: str) -> str:
    """The script with `$(cat <<'EOF' …)` replaced by a word: its text may hold quotes that end no string."""
    pieces: list[str] = []
    position = 0
    for match in _SUBSTITUTED.finditer(script):
        if match.start() < position:
            continue
        end = script.find("\n" + match[2], match.end() - 1)
        if end < 0:
            break
        close = script.find(")", end)
        pieces += [script[position : match.start()], "HEREDOC"]
        position = close + 1 if close >= 0 else len(script)
    return "".join([*pieces, script[position:]])


def _unquoted(text: str, kind: str) -> str:
    if kind == "single":
        return text[1:].removesuffix("'")
    if kind == "double":
        return text[1:].removesuffix('"').replace('\\"', '"').replace("\\\\", "\\")
    return text[1:] if kind == "escape" else text


def _bare(command: Simple) -> Simple:
    words = command.words
    while words and (words[0] in _KEYWORDS or words[0] in _PREFIXES or _ASSIGNMENT.match(words[0])):
        words = words[1:]
    if len(words) >= 3 and words[0] == "timeout":
        words = words[2:] if not words[1].startswith("-") else words
    command.words = words
    return command


def script_of(command: object) -> str:
    """A shell tool's command as one script: a string, or an argument list with `bash -lc SCRIPT` unwrapped."""
    if isinstance(command, str):
        return command
    if isinstance(command, (list, tuple)) and all(isinstance(word, str) for word in command):
        words: list[str] = list(command)
        if len(words) >= 3 and words[0] in _SHELLS and words[1].startswith("-"):
            return words[2]
        return " ".join(words)
    return ""
