"""Finds what a shell script acts on, told apart from what it only looks at and from the words that it writes down. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from continuity.knowledge.extractors.shell.parser import Simple, parse
from continuity.knowledge.language.word_sets import word_set

# They show or search; where they write, that is said by a redirect.
LOOKING = word_set(
    """
    ls cat head tail less more nl bat grep egrep fgrep rg ag find fd wc pwd echo printf which tree jq stat file sort uniq cut diff cmp
    env date ps du df type test true sleep basename dirname whoami id man help
    """
)
LOOKING_AT_GIT = word_set("status log diff show blame remote rev-parse ls-files describe shortlog reflog grep")
# Programs that are given messages and titles, and the options by which they get them: as a word of its own before it, or joined to it.
_MESSAGE = re.compile(r"-[a-zA-Z]*m|--message"), re.compile(r"--message=|-m\S")
_TITLE = re.compile(r"--title|--body|--notes|--description|--comment|-[tbnm]"), re.compile(r"--(?:title|body|notes|description|comment)=")
TOLD = dict.fromkeys(("git", "hg", "svn", "jj"), _MESSAGE) | dict.fromkeys(("gh", "glab", "hub"), _TITLE)
# A rule that is about looking.
_LOOKS = re.compile(r"\b(?:read|open|print|show|cat|look|view|log|display|dump|leak|expose|list|search|grep)(?:s|ed|ing)?\b", re.I)
LONGEST = 2000


@dataclass(frozen=True, slots=True)
class ScriptTargets:
    """The words of what is acted on, and of what is only looked at."""

    acts: tuple[str, ...] = ()
    looks: tuple[str, ...] = ()

    def of(self, rule: str) -> Sequence[str]:
        """Those that count for a rule."""
        return (*self.acts, *self.looks) if _LOOKS.search(rule) else self.acts


NOTHING = ScriptTargets()


def targets_of(script: str) -> ScriptTargets:
    """Commit messages, titles, what is echoed, and the content of files that are written are no aims: to name a rule is not to break it."""
    acts: list[str] = []
    looks: list[str] = []
    for command in parse(script[:LONGEST]):
        (looks if _looks(command) else acts).extend(_operands(command))
        acts.extend((*command.writes, *command.appends))
    return ScriptTargets(tuple(acts), tuple(looks))


def _looks(command: Simple) -> bool:
    verb = next((word for word in command.words[1:] if not word.startswith("-")), "")
    return command.program in LOOKING or (command.program == "git" and verb in LOOKING_AT_GIT)


def _operands(command: Simple) -> list[str]:
    """The words of a command without the texts that it is given, and with what it is made to run."""
    if command.program in ("echo", "printf"):
        return []
    if command.program not in TOLD:
        return [*command.words, *([command.body] if command.body and command.program not in LOOKING else [])]
    before, joined = TOLD[command.program]
    kept: list[str] = []
    is_text = False
    for word in command.words:
        if not is_text and not joined.match(word):
            kept.append(word)
        is_text = not is_text and before.fullmatch(word) is not None
    return kept
