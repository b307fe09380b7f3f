"""Splitting shell scripts into simple commands with their redirections and here-documents; tolerant and linear."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from continuity.knowledge.extractors.shell.wrappers import unwrapped, without_options
from continuity.knowledge.state.fold_cache import cached

LONGEST = 40_000  # characters of a script that are read

_TOKEN = re.compile(
    r"(?P<space>[ \t\r]+|\\\n)|(?P<comment>(?<![^\s;])#[^\n]*)|(?P<heredoc><<-?[ \t]*(?:'(?P<q1>[^'\n]+)'|\"(?P<q2>[^\"\n]+)"
    r"\"|\\?(?P<bare>[\w.]+)))|(?P<here><<<)"
    r"|(?P<op>\n|&&|\|\||;;|\|&?|;|&(?!>))|(?P<redirect>&?\d*>>?\|?(?:&\d?-?)?|\d*<(?![<(]))|(?P<single>'[^']*+'?)"
    r"|(?P<double>\"(?:[^\"\\]|\\.)*+\"?)|(?P<escape>\\.)|(?P<word>[^\s'\"\\|&;<>#()]++|[#()<>&\\])",
    re.S,
)
# Bounded, so that a script in one endless line is not read again from each of its places.
_SUBSTITUTED = re.compile(r"\$\(\s{0,20}cat\s{1,20}<<-?\s{0,20}(['\"]?)(\w{1,80}+)\1[^\n]{0,1000}\n")
_UNSAFE = re.compile(r"[^\w .,:/()@#+-]+")
FIRST = 160  # characters of a here-document that stand for it
_SHELLS = frozenset(("bash", "sh", "zsh", "dash", "ksh", "pwsh", "powershell"))
_GIVEN = re.compile(r"-[a-zA-Z]*c|-Command")  # the option of a shell that is followed by a script
DEEPEST = 3  # scripts within one another


@dataclass(slots=True)
class Simple:
    """One simple command: its words, files it writes or appends to, its here-document, the operator before it, the directory that git
    is told to run in, and the program that wraps it."""

    words: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    appends: list[str] = field(default_factory=list)
    body: str = ""
    before: str = ""
    within: str = ""
    by: str = ""

    @property
    def program(self) -> str:
        return self.words[0].rsplit("/", 1)[-1] if self.words else ""


@cached
def parse(script: str) -> list[Simple]:
    """The simple commands of a script in order, not to be changed; keywords, assignments and what only wraps a command (`sudo`,
    `timeout 60`, `bash -c`) are left out."""
    return _commands(script, 0)


def _commands(script: str, depth: int) -> list[Simple]:
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
            if match["here"]:
                target = "<"
            elif kind == "redirect":
                target = (
                    ""
                    if (match.group().rstrip("-")[-1:].isdigit() and "&" in match.group()) or match.group().endswith("&-")
                    else match.group()
                )
    close_word()
    if current.words or current.writes or current.appends:
        commands.append(current)
    bare = (each for command in commands for each in _bare(command, depth))
    return [c for c in bare if c.words or c.writes or c.appends]


def _read_bodies(script: str, position: int, waiting: list[tuple[str, Simple]]) -> int:
    """Give each waiting command its here-document, which begins at `position`; returns where the last one ends."""
    for delimiter, command in waiting:
        end = re.compile(r"^[ \t]*" + re.escape(delimiter) + r"[ \t]*$", re.M).search(script, position)
        stop = end.start() if end else len(script)
        command.body = script[position:stop]
        position = end.end() + 1 if end else len(script)
    return position


def _without_substituted(script: str) -> str:
    """The script with `$(cat <<'EOF' …)` replaced by its first line without quotes: its text may hold some that end no string."""
    pieces: list[str] = []
    position = 0
    for match in _SUBSTITUTED.finditer(script):
        if match.start() < position:
            continue
        end = script.find("\n" + match[2], match.end() - 1)
        if end < 0:
            break
        close = script.find(")", end)
        first = script[match.end() : end].lstrip().partition("\n")[0]
        pieces += [script[position : match.start()], _UNSAFE.sub(" ", first[:FIRST]).strip() or "HEREDOC"]
        position = close + 1 if close >= 0 else len(script)
    return "".join([*pieces, script[position:]])


def _unquoted(text: str, kind: str) -> str:
    if kind == "single":
        return text[1:].removesuffix("'")
    if kind == "double":
        return text[1:].removesuffix('"').replace('\\"', '"').replace("\\\\", "\\")
    return text[1:] if kind == "escape" else text


def _bare(command: Simple, depth: int) -> list[Simple]:
    """The command without its wrappers; the commands of a script that it hands to a shell."""
    outer, command.words = command.program, unwrapped(command.words)
    command.by = outer if outer != command.program else ""
    inner = _commands(script, depth + 1) if depth < DEEPEST and (script := _handed(command)) else []
    if inner:
        first, last = inner[0], inner[-1]
        first.before = command.before
        last.writes, last.appends = [*last.writes, *command.writes], [*last.appends, *command.appends]
        return inner
    if command.program == "git":
        command.words, command.within = without_options(command.words)
    return [command]


def _handed(command: Simple) -> str:
    """The script that a command hands to a shell; empty where it hands none."""
    words = command.words
    if words[:1] == ["eval"]:
        return " ".join(words[1:])
    if command.program not in _SHELLS:
        return ""
    given = next((place for place, word in enumerate(words[1:-1], 1) if _GIVEN.fullmatch(word)), 0)
    if given:
        return words[given + 1]
    return command.body if all(word.startswith("-") for word in words[1:]) else ""


def name_of(script: str) -> str:
    """What a script runs, the same however that is wrapped and from wherever it is run."""
    return "; ".join(" ".join(each.words) for each in parse(script) if each.program not in ("cd", "pushd")) or script


def script_of(command: object) -> str:
    """A shell tool's command as one script: a string, or an argument list with `bash -lc SCRIPT` unwrapped."""
    if isinstance(command, str):
        return command
    if isinstance(command, (list, tuple)) and all(isinstance(word, str) for word in command):
        words: list[str] = list(command)
        if len(words) >= 3 and words[0].rsplit("/", 1)[-1] in _SHELLS and words[1].startswith("-"):
            return words[2]
        return " ".join(words)
    return ""
