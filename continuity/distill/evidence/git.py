"""Branches and commits, from commands and from what git prints."""

from __future__ import annotations

import re

from continuity.distill.clip import one_line
from continuity.distill.evidence.shell import Simple
from continuity.distill.model import Quote, Ref
from continuity.distill.step import Step

COMMITS = 10

_COMMITTED = re.compile(
    r"^\[(?P<branch>[^\]\s]+(?: HEAD)?)(?: \(root-commit\))? (?P<hash>[0-9a-f]{7,40})\] (?P<subject>[^\n]{1,200})", re.M
)
_SWITCHED = re.compile(r"^Switched to (?:a new )?branch '([^'\n]+)'", re.M)
_ON = re.compile(r"^On branch (\S+)", re.M)
_WRITES = frozenset(("commit", "merge", "cherry-pick", "revert", "rebase", "am", "pull"))


def observe(step: Step, part: int, commands: list[Simple], text: str) -> None:
    """Enter commits and the branch that a successful run of `commands` printed `text` about."""
    gits = [c.words[1:] for c in commands if c.program == "git" and len(c.words) > 1]
    if not gits:
        return
    state = step.state
    for words in gits:
        if branch := _target(words):
            state.branch = branch
    window = text[:20_000]
    if match := _SWITCHED.search(window) or _ON.search(window):
        state.branch = match[1]
    if not any(words[0] in _WRITES for words in gits):
        return
    for match in _COMMITTED.finditer(window):
        if "HEAD" not in match["branch"]:
            state.branch = match["branch"]
        line = Quote(one_line(match.group(), 200), Ref(step.seq, part, match.start(), match.end()))
        state.commits = (*[c for c in state.commits if c.text != line.text], line)[-COMMITS:]


def _target(words: list[str]) -> str:
    """The branch that `git checkout` or `git switch` names, where it can be nothing but a branch."""
    if words[0] not in ("checkout", "switch") or "--" in words:
        return ""
    names = [w for w in words[1:] if not w.startswith("-")]
    creates = any(w in ("-b", "-B", "-c", "-C", "--create") for w in words[1:])
    if creates and names:
        return names[0]
    return names[0] if words[0] == "switch" and len(names) == 1 and "--detach" not in words else ""
