"""Branches and commits, from commands and from what git prints."""

from __future__ import annotations

import re

from continuity.distill.clip import one_line
from continuity.distill.evidence import worktree
from continuity.distill.evidence.shell import Simple
from continuity.distill.model import Quote, Ref
from continuity.distill.step import Step

COMMITS = 10

_SHORT = frozenset(("-s", "--short", "--porcelain", "--porcelain=v1", "--porcelain=v2"))
_COMMITTED = re.compile(
    r"^\[(?P<branch>[^\]\s]+(?: HEAD)?)(?: \(root-commit\))? (?P<hash>[0-9a-f]{7,40})\] (?P<subject>[^\n]{1,200})", re.M
)
_SWITCHED = re.compile(r"^Switched to (?:a new )?branch '([^'\n]+)'", re.M)
_UPDATED = re.compile(r"^Updating [0-9a-f]{7,40}\.\.(?P<hash>[0-9a-f]{7,40})", re.M)
_ON = re.compile(r"^On branch (\S+)", re.M)
_WRITES = frozenset(("commit", "merge", "cherry-pick", "revert", "rebase", "am", "pull"))


def observe(step: Step, part: int, commands: list[Simple], text: str) -> None:
    """Enter commits and the branch that a successful run of `commands` printed `text` about."""
    gits = [words for c in commands if (words := after_git(c))]
    if not gits:
        return
    state = step.state
    for words in gits:
        if branch := _target(words):
            state.branch = branch
    window = text[:20_000]
    if match := _SWITCHED.search(window) or _ON.search(window):
        state.branch = match[1]
    shown = [words for words in gits if words[0] == "status"]
    silent = len(commands) == 1 and not text.strip() and any(_SHORT & {*words} for words in shown)  # so a clean tree prints
    if shown and (found := "clean" if silent else worktree.tree(window)):
        seen = Quote(found, Ref(step.seq, part))
        state.trees = (*state.trees[:1], seen)
    if not any(words[0] in _WRITES for words in gits):
        return
    if match := _UPDATED.search(window):
        _keep(step, Quote(f"{match['hash']} (fast-forward)", Ref(step.seq, part, match.start(), match.end())))
    for match in _COMMITTED.finditer(window):
        if "HEAD" not in match["branch"]:
            state.branch = match["branch"]
        _keep(step, Quote(one_line(match.group(), 200), Ref(step.seq, part, match.start(), match.end())))


def after_git(command: Simple) -> list[str]:
    """The words behind `git` and its own options, also where another program wraps it (`wrapper git status`)."""
    place = 0 if command.program == "git" else 1 if command.words[1:2] == ["git"] else None
    words = [] if place is None else command.words[place + 1 :]
    while words and words[0].startswith("-"):
        words = words[2 if words[0] in ("-C", "-c") else 1 :]
    return words


def _keep(step: Step, line: Quote) -> None:
    step.state.commits = (*[c for c in step.state.commits if c.text != line.text], line)[-COMMITS:]


def _target(words: list[str]) -> str:
    """The branch that `git checkout` or `git switch` names, where it can be nothing but a branch."""
    if words[0] not in ("checkout", "switch") or "--" in words:
        return ""
    names = [w for w in words[1:] if not w.startswith("-")]
    creates = any(w in ("-b", "-B", "-c", "-C", "--create") for w in words[1:])
    if creates and names:
        return names[0]
    return names[0] if words[0] == "switch" and len(names) == 1 and "--detach" not in words else ""
