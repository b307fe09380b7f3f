"""Programs that only run another command: `sudo`, `env`, `timeout`, `xargs` and their like. What they run is what is done."""

from __future__ import annotations

import re

from continuity.knowledge.language.word_sets import word_set

DEEPEST = 8  # wrappers around one command

_KEYWORDS = word_set("if then else elif fi for while until do done case esac in function { } ( ) !")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_DURATION = re.compile(r"\d+(?:\.\d+)?[smhd]?$")
# Options of each whose value is a word of its own; None where it takes none such.
_WRAPPERS = {
    "sudo": word_set("-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --chroot --role --type --close-from"),
    "doas": word_set("-u -C"),
    "env": word_set("-u -C --unset --chdir"),
    "exec": word_set("-a"),
    "command": word_set(""),
    "builtin": word_set(""),
    "nohup": word_set(""),
    "time": word_set("-f -o --format --output"),
    "gtime": word_set("-f -o --format --output"),
    "nice": word_set("-n --adjustment"),
    "ionice": word_set("-c -n -p --class --classdata"),
    "chronic": word_set(""),
    "setsid": word_set(""),
    "stdbuf": word_set("-i -o -e --input --output --error"),
    "unbuffer": word_set(""),
    "caffeinate": word_set("-t -w"),
    "xvfb-run": word_set("-s -n -e -f -p --server-args --server-num"),
    "timeout": word_set("-s -k --signal --kill-after"),
    "gtimeout": word_set("-s -k --signal --kill-after"),
    "xargs": word_set("-n -I -L -P -d -a -s -E --max-args --replace --max-lines --max-procs --delimiter --arg-file"),
    "rtk": word_set(""),
    "noglob": word_set(""),
    "torsocks": word_set(""),
    "proxychains": word_set("-f"),
    "proxychains4": word_set("-f"),
}
# What a wrapper takes before the command it runs.
_TIMED = frozenset(("timeout", "gtimeout"))
_TELLS = frozenset(("-v", "-V", "--help", "--version"))  # `command -v git` asks where git is
# Runners whose command stands behind `--`, or right behind their own words.
_RUNNERS = {
    ("mise", "exec"): 2, ("mise", "x"): 2, ("op", "run"): 2, ("doppler", "run"): 2, ("infisical", "run"): 2, ("aws-vault", "exec"): 3,
    ("chamber", "exec"): 3, ("direnv", "exec"): 3, ("asdf", "exec"): 2, ("rbenv", "exec"): 2, ("pyenv", "exec"): 2, ("nodenv", "exec"): 2,
    ("dotenv", "run"): 2, ("devbox", "run"): 2, ("flox", "activate"): 2, ("nix", "develop"): 2, ("nix-shell", "--run"): 2,
}  # fmt: skip
# A wrapper that shortens what commands print has some of its own words for them.
_SHORTENS = {"proxy": 1, "test": 1, "err": 1, "summary": 1}
# Programs that are known by themselves, behind one that is not: somebody's own wrapper.
_KNOWN = word_set("git gh pytest npm pnpm yarn bun cargo go make mypy ruff eslint tsc jest vitest tox")
_NO_WRAPPERS = word_set(
    """
    which echo man type whereis apt apt-get brew install grep rg cat ls cd alias export hash printf pip pip3 pipx conda mamba dnf yum apk
    pacman snap choco scoop winget find sed awk head tail test [ kill pkill pgrep killall say uv npx bunx pnpx poetry pipenv hatch pdm rye
    docker podman kubectl help tldr info cp mv rm mkdir touch tee chmod chown code vim nano mise asdf rustup volta fnm nvm go npm pnpm yarn
    bun cargo make python python3 node ruby gem bundle git gh true false set source . unset wait
    """
)
_GIT_VALUED = frozenset(("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"))


def unwrapped(words: list[str]) -> list[str]:
    """The words of the command that is run, without what only wraps it; the last words where nothing but wrappers stands there."""
    for _ in range(DEEPEST):
        inner = _inner(words)
        if inner is words:
            break
        if not inner:
            return [] if words[0] in _KEYWORDS or _ASSIGNMENT.match(words[0]) else words
        words = inner
    return words


def without_options(words: list[str]) -> tuple[list[str], str]:
    """The words of a call of git without git's own options, and the directory that they name."""
    place, where = 1, ""
    while place < len(words) and words[place].startswith("-") and words[place] not in ("--version", "--help"):
        option = words[place]
        where = words[place + 1] if option == "-C" and place + 1 < len(words) else where
        place += 2 if option in _GIT_VALUED else 1
    return ([*words[:1], *words[place:]], where) if place > 1 else (words, where)


def _inner(words: list[str]) -> list[str]:
    first = words[0] if words else ""
    if first in _KEYWORDS or _ASSIGNMENT.match(first):
        return words[1:]
    program = first.rsplit("/", 1)[-1]
    if program in _WRAPPERS:
        return _wrapped(program, words)
    place = _RUNNERS.get((program, words[1] if len(words) > 1 else ""))
    if place is not None:
        rest = words[place:]
        return rest[rest.index("--") + 1 :] if "--" in rest else words if rest[:1] and rest[0].startswith("-") else rest
    if len(words) > 1 and words[1] in _KNOWN and program not in _NO_WRAPPERS and not first.startswith(("-", "$")):
        return words[1:]
    return words


def _wrapped(program: str, words: list[str]) -> list[str]:
    if program == "command" and len(words) > 1 and words[1] in _TELLS:
        return words
    if program == "rtk":
        place = _SHORTENS.get(words[1], 0) if len(words) > 1 else 0
        rest = words[1 + place :]
        return ["cat", *rest[1:]] if rest[:1] == ["read"] else rest
    valued = _WRAPPERS[program]
    place = 1
    while place < len(words) and words[place].startswith("-") and len(words[place]) > 1:
        option = words[place]
        place += 1
        if option == "--":
            break
        if option in valued:
            place += 1
    if program in _TIMED and place < len(words) and _DURATION.match(words[place]):
        place += 1
    return words[place:] or words[1:]
