"""Effects of shell commands on files, as far as their words tell."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from continuity.knowledge.extractors.shell import package_files
from continuity.knowledge.extractors.shell.parser import Simple
from continuity.knowledge.extractors.shell.patches import patched, unified
from continuity.knowledge.extractors.shell.paths import is_path, is_temporary, join
from continuity.knowledge.extractors.shell.python_scripts import written
from continuity.knowledge.extractors.tools.symbols import added, with_symbols
from continuity.knowledge.model import FileAction
from continuity.knowledge.state.open_items import Effect

UNKNOWN = "?"  # a directory that only running the script would tell

_RANGE = re.compile(r"^(\d+),(\d+)p$")
_PYTHON = re.compile(r"python(?:\d(?:\.\d{1,2})?)?|pypy3?|ipython")
_READERS = frozenset(["cat", "less", "more", "head", "tail", "nl", "bat", "batcat", "tac"])
_WITH_VALUE = {
    **dict.fromkeys(("head", "tail"), ("-n", "-c")), "install": ("-m", "-o", "-g", "-t"), "truncate": ("-s", "-r", "--size"),
}  # fmt: skip
_CMDLETS = {"set-content": FileAction.CREATED, "out-file": FileAction.CREATED, "add-content": FileAction.MODIFIED}


def effects(commands: list[Simple], cwd: str) -> tuple[list[Effect], str]:
    """Effects of all commands in order, with paths as seen from the `cwd` each runs in, and the `cwd` at the end.

    Paths are joined to the directory only where `cd` left the first one.
    """
    found: list[Effect] = []
    here = cwd
    for command in commands:
        if command.program in ("cd", "pushd") and len(command.words) >= 2:
            here = join(here, command.words[1]) if is_path(command.words[1]) or command.words[1] in ("..", ".") else UNKNOWN
            continue
        inside = join(here, command.within) if command.within and here != UNKNOWN else here
        for effect in _of(command):
            if effect.action is not FileAction.READ and is_temporary(effect.path):
                continue
            if inside == UNKNOWN and not effect.path.startswith(("/", "~")):
                continue
            path = effect.path if effect.path.startswith(("/", "~")) or inside == cwd else join(inside, effect.path)
            note = join(inside, effect.note) if effect.action is FileAction.RENAMED and inside != cwd else effect.note
            found.append(replace(effect, path=path, note=note))
    return found, here


def _of(command: Simple) -> list[Effect]:
    words = command.words
    program = command.program
    if program == "git" and len(words) >= 2:
        program, words = f"git {words[1]}", words[1:]
    arguments = _arguments(program, words[1:])
    found: list[Effect] = []
    if program in ("apply_patch", "applypatch"):
        found += with_symbols(patched(command.body or " ".join(words[1:])), command.body)
    elif program in ("git apply", "patch") and command.body:
        found += with_symbols(unified(command.body), command.body)
    elif program in ("rm", "unlink", "git rm", "trash", "rmtrash"):
        found += [Effect(FileAction.DELETED, p) for p in arguments]
    elif program in ("mv", "git mv") and len(arguments) >= 2:
        found += _moves(arguments)
    elif program == "cp" and len(arguments) >= 2:
        found += [Effect(FileAction.CREATED, _into(p, arguments[-1], len(arguments) > 2)) for p in arguments[:-1]]
    elif program == "git checkout" and ("--theirs" in words or "--ours" in words):
        found += [Effect(FileAction.MODIFIED, p) for p in arguments]
    elif program == "touch":
        found += [Effect(FileAction.CREATED, p) for p in arguments]
    elif program == "tee":
        found += [Effect(FileAction.MODIFIED if "-a" in words else FileAction.CREATED, p) for p in arguments]
    elif program in ("sed", "perl", "gsed") and any(w.startswith("-i") or w in ("-pi", "-pie", "--in-place") for w in words[1:]):
        found += [Effect(FileAction.MODIFIED, p) for p in _after_script(words[1:])]
    elif program in ("sed", "gsed"):
        found += _sed_reads(words[1:])
    elif program in _READERS and not command.writes and not command.appends and not command.body:
        found += [Effect(FileAction.READ, p) for p in arguments]
    elif _PYTHON.fullmatch(program):
        script = words[words.index("-c") + 1] if "-c" in words[:-1] else command.body
        found += [Effect(FileAction.MODIFIED, p) for p in written(script) if is_path(p)]
    elif program in ("install", "ln") and len(arguments) >= 2:
        found += [Effect(FileAction.CREATED, _into(arguments[0], arguments[-1], len(arguments) > 2))]
    elif program in ("truncate", "sponge"):
        found += [Effect(FileAction.MODIFIED, p) for p in arguments]
    elif program == "dd":
        found += [Effect(FileAction.CREATED, w[3:]) for w in words if w.startswith("of=") and is_path(w[3:])]
    elif program == "sort":
        found += [Effect(FileAction.CREATED, p) for o, p in pairwise(words) if o in ("-o", "--output") and is_path(p)]
    elif program.lower() in _CMDLETS:
        named = [p for o, p in pairwise(words) if o.lower() in ("-path", "-filepath", "-literalpath")] or arguments[:1]
        found += [Effect(_CMDLETS[program.lower()], p) for p in named if is_path(p)]
    elif program in ("curl", "wget"):
        found += [
            Effect(FileAction.CREATED, words[i + 1])
            for i, w in enumerate(words[:-1])
            if w in ("-o", "-O", "--output") and is_path(words[i + 1])
        ]
    found += [Effect(FileAction.MODIFIED, p) for p in package_files.changed(command.words)]
    found += [Effect(FileAction.CREATED, p, symbols=added("", command.body)) for p in command.writes if is_path(p)]
    found += [Effect(FileAction.MODIFIED, p) for p in command.appends if is_path(p)]
    return found


def _arguments(program: str, words: list[str]) -> list[str]:
    """The words that are paths: no options, no values of options."""
    valued = _WITH_VALUE.get(program, ())
    return [w for i, w in enumerate(words) if is_path(w) and not (i and words[i - 1] in valued)]


def _moves(arguments: list[str]) -> list[Effect]:
    target = arguments[-1]
    return [Effect(FileAction.RENAMED, _into(source, target, len(arguments) > 2), source) for source in arguments[:-1]]


def _into(source: str, target: str, several: bool) -> str:
    """The new path: inside `target` where that is written as a directory."""
    if target.endswith("/") or several or target in (".", ".."):
        return f"{target.rstrip('/')}/{source.rstrip('/').rsplit('/', 1)[-1]}"
    return target


def _after_script(words: list[str]) -> list[str]:
    """The files of an in-place edit: what follows the first word that is no option, or all where `-e` gave the script."""
    plain = [w for i, w in enumerate(words) if w and not w.startswith("-") and not (i and words[i - 1] in ("-e", "--expression"))]
    scripted = any(w in ("-e", "--expression") for w in words)
    files = plain if scripted else plain[1:]
    return [w for w in files if is_path(w) and w]


def _sed_reads(words: list[str]) -> list[Effect]:
    files = _after_script(words)
    ranges = [m for w in words if (m := _RANGE.match(w))]
    note = f"{ranges[0][1]}-{ranges[0][2]}" if ranges else ""
    return [Effect(FileAction.READ, p, note) for p in files]
