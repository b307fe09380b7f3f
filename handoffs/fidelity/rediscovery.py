"""First actions of a successor: what it looks up again although the package answered it, and what comes near a constraint. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from continuity.knowledge.directive_parser.grammar import CHANGED_SINCE
from continuity.knowledge.extractors.shell.parser import parse
from continuity.knowledge.extractors.tools import commands, edits, tool_names
from continuity.knowledge.language.content_words import content
from continuity.knowledge.model import AnchorType, FileAction
from continuity.transcripts.base.model import Message, Part, PartKind
from handoffs.contract.model import Package
from handoffs.fidelity.script_targets import NOTHING, ScriptTargets, targets_of
from handoffs.fidelity.staleness import relative

# Words of a rule that an action must share to touch it.
SHARED = 2
LONGEST = 300
READERS = frozenset(("cat", "head", "tail", "less", "more", "nl", "bat"))


class FirstAction(StrEnum):
    READ = "read"
    RUN = "run"
    CHANGE = "change"


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that the successor did: message `seq`, and the path or command. `on` is what of it may come near a rule."""

    seq: int
    deed: FirstAction
    what: str
    on: ScriptTargets = NOTHING


@dataclass(frozen=True, slots=True)
class Touch:
    """An act that shares words with a constraint, or is on a file that it names; `reference` and `words` are the constraint's."""

    act: Act
    reference: str
    words: str


@dataclass(frozen=True, slots=True)
class FirstActs:
    """`files` that were read and `commands` that were run although the package told them; `touches` of constraints."""

    acts: int
    files: tuple[Act, ...]
    commands: tuple[Act, ...]
    touches: tuple[Touch, ...]


def acts_of(messages: Iterable[tuple[int, Message]], cwd: str) -> list[Act]:
    """The reads, runs and changes in the tool calls of messages (with their numbers), in order; paths from `cwd`."""
    return [act for seq, message in messages for part in message.parts if part.kind is PartKind.TOOL_CALL for act in _acts(seq, part, cwd)]


def judge(package: Package, acts: Sequence[Act]) -> FirstActs:
    """Compares a successor's first acts with the package. What it reads or runs after its own first change is no rediscovery,
    nor is a check that the package asks to run again."""
    cwd = package.situation.cwd
    known_files = {relative(file.path, cwd) for file in package.files}
    known_commands = _answered(package)
    changed = next((index for index, act in enumerate(acts) if act.deed is FirstAction.CHANGE), len(acts))
    before = acts[:changed]
    return FirstActs(
        acts=len(acts),
        files=_once(act for act in before if act.deed is FirstAction.READ and act.what in known_files),
        commands=_once(act for act in before if act.deed is FirstAction.RUN and _plain(act.what) in known_commands),
        touches=tuple(touch for act in acts if act.deed is not FirstAction.READ for touch in _touches(package, act)),
    )


def _acts(seq: int, part: Part, cwd: str) -> list[Act]:
    name = tool_names.plain_name(part.name)
    if name in tool_names.SHELL:
        script = commands.script(part.input)
        read = [relative(word, cwd) for command in parse(script) if command.program in READERS for word in command.words[1:]]
        return [
            Act(seq, FirstAction.RUN, script[:LONGEST], targets_of(script)),
            *(Act(seq, FirstAction.READ, path) for path in read if not path.startswith("-")),
        ]
    effects = edits.effects(name, part.input)
    paths = [
        (FirstAction.READ if effect.action is FileAction.READ else FirstAction.CHANGE, relative(effect.path, cwd)[:LONGEST])
        for effect in effects
    ]
    return [Act(seq, deed, path, ScriptTargets(acts=(path,))) for deed, path in paths]


def _answered(package: Package) -> frozenset[str]:
    """The commands whose outcome the package tells."""
    now = package.situation
    check = now.verification
    # The package says it itself: where files lie before the beginning, it does not number them.
    stale = any(CHANGED_SINCE.search(item.text) for section in package.sections for item in section.items)
    told = {_plain(command.command) for command in now.recent_commands} | ({_plain(check.command)} if check else set())
    return frozenset(told - {_plain(check.command)} if check and stale else told)


def _plain(command: str) -> str:
    return " ".join(command.split())


def _touches(package: Package, act: Act) -> list[Touch]:
    references = {item.key: item.reference for section in package.sections for item in section.items}
    return [
        Touch(act, references.get(rule.key, ""), rule.text)
        for rule in package.anchors
        if rule.type is AnchorType.CONSTRAINT and _is_near(rule.text, act)
    ]


def _is_near(rule: str, act: Act) -> bool:
    """Whether an act shares words with a rule, or is on a file that it names; what is looked at counts for rules about looking."""
    words = act.on.of(rule)
    done = set(content("".join(c if c.isalnum() else " " for c in " ".join(words)), limit=60))
    return len(done & set(content(rule))) >= SHARED or _names(rule, act.deed, words)


def _names(rule: str, deed: FirstAction, words: Sequence[str]) -> bool:
    """Whether the rule names a file of the act, by its path, its last part or a folder (`migrations/`)."""
    paths = words if deed is FirstAction.CHANGE else [word for word in " ".join(words).split() if "/" in word or _is_file(word)]
    names = {name for path in paths for name in (path, posixpath.basename(path)) if _is_file(name)}
    names |= {f"{folder}/" for path in paths for folder in (posixpath.dirname(path), *path.split("/")[:-1]) if folder}
    return any(name in rule and re.search(rf"(?<![\w/.-]){re.escape(name)}(?![\w-])", rule) for name in names)


def _is_file(word: str) -> bool:
    """Whether a word is the name of a file; a version (3.11) is none."""
    return "." in word[1:-1] and ("/" in word or any(c.isalpha() for c in word.rpartition(".")[2]))


def _once(acts: Iterable[Act]) -> tuple[Act, ...]:
    """Each path or command once, at its first time."""
    first: dict[str, Act] = {}
    for act in acts:
        first.setdefault(act.what, act)
    return tuple(first.values())
