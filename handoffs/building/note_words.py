"""The words of a handoff note, to be asked whether they tell what a line of the record tells too."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from continuity.knowledge.language.content_words import content, is_identifier, tokens
from handoffs.notes.evidence import denies

# The share of a decision's words that one statement must have to say the same, of those of a message, and of its words that all statements
# have together; words below which a message says little by itself.
SAME, TELLS, TOGETHER, FEW = 0.6, 0.4, 0.75, 3
WORDS = 60
NAMING = 10  # characters of a command by which it is known
PASTED = 0.5  # the share of the names in a paste that a note has which tells what it shows
SHORTENS = re.compile(r" 2>&1| \| (?:tail|head)\b[^`|]*")  # of a command what only shortens its output
_PIECES = re.compile(r"&&|\|\||[;|]|2>&1")
_CODE = re.compile(r"`([^`]+)`")
_EXACT = re.compile(r"[A-Za-z_][\w.-]{4,}")
_CLAUSE = re.compile(r"[.;!?] ")
_OPEN = re.compile(r"\b(?:whether|unconfirmed|unverified|unknown|unclear|pending|ob|unklar)\b")
_CHECKING = re.compile(
    r"\b(?:run|ran|rerun|buil[dt]|compil\w*|test(?:s|ed|ing)?|lint\w*|valid\w*|verif\w*|check(?:s|ed)?|geprüft|getestet)\b"
)


@dataclass(frozen=True, slots=True)
class NoteWords:
    """The words of each statement and whether it denies, the files told of by the last part of their path, all that is said, how many
    statements tell the history; the statements on how things are, and on them or what comes next. `over` are the messages of the person
    whose outcome the note's history tells, `torn` the keys of what was said in them, `agreed` those of what the person agreed to,
    `committed` the changed paths that git has."""

    statements: Sequence[tuple[frozenset[str], bool]]
    files: Mapping[str, Sequence[str]]
    text: str
    history: int
    now: Sequence[str] = ()
    present: Sequence[str] = ()
    over: Collection[int] = ()
    torn: Collection[str] = ()
    agreed: Collection[str] = ()
    committed: Collection[str] = ()

    def names(self, refused: str) -> bool:
        """Whether a statement names the command of a call that was refused."""
        target = re.search(r"“([^”]+)”", refused)
        pieces = _PIECES.split(target[1]) if target else []
        return any(len(piece.strip()) >= NAMING and piece.strip() in self.text for piece in pieces)

    def says(self, text: str, share: float) -> bool:
        """Whether a statement has so much of the words and denies as they do, or all of them have nearly all."""
        words, denied = frozenset(content(text, WORDS)), denies(text.lower())
        if any(words and len(words & told) >= share * len(words) and denies_too is denied for told, denies_too in self.statements):
            return True
        together = frozenset[str]().union(*(told for told, _ in self.statements))
        return share == TELLS and (len(words) < FEW or len(words & together) >= TOGETHER * len(words))

    def tells_task(self, title: str) -> bool:
        """Whether a statement on the present has most words of a task's title."""
        words = frozenset(content(title, WORDS))
        return bool(words) and any(len(words & frozenset(content(each, WORDS))) >= SAME * len(words) for each in self.present)

    def tells_run(self, text: str) -> bool:
        """Whether how things are is told with the command of a run, or with each part of it."""
        command = _CODE.search(SHORTENS.sub("", text))
        pieces = [piece.strip() for piece in _PIECES.split(command[1])] if command else []
        said = [SHORTENS.sub("", each) for each in self.now]
        codes = [code for each in said for code in _CODE.findall(each)]
        return bool(pieces) and all(any(_same_run(piece, code) for code in codes) for piece in pieces if piece)

    def tells_unchecked(self) -> bool:
        """Whether how things are is told with that nothing was checked."""
        return any(denies(part) and _CHECKING.search(part) for each in self.now for part in _CLAUSE.split(each.lower()))

    def tells_unseen(self, text: str) -> bool:
        """Whether of each call without a result, a statement on how things are says that it is not known whether it was done."""
        doubts = [each for each in self.now if any(denies(part) or _OPEN.search(part) for part in _CLAUSE.split(each.lower()))]
        calls = _CODE.findall(text)
        return bool(calls) and all(any(_known_by(call) in each for each in doubts) for call in calls)

    def tells_misuse(self, text: str) -> bool:
        """Whether the command that its program did not understand is named, with the word of what it was to do."""
        command = _CODE.search(text)
        words = command[1].split()[:3] if command else []
        return len(words) > 1 and " ".join(words) in self.text

    def tells_failing(self, text: str) -> bool:
        """Whether each test of a failure, or its place where no test is known, is named where the present is told."""
        head = text.partition("; ")[0]
        names = [name.partition("/")[0] for name in re.findall(r"“([^”]+)”", head)] or [head.removeprefix("at ").rsplit("/", 1)[-1]]
        return bool(names) and all(any(name in each for each in self.present) for name in names)

    def shows(self, pasted: str) -> bool:
        """Whether most of what a paste names is named."""
        names = {name.rstrip(".") for token in tokens(pasted) for name in _EXACT.findall(token) if is_identifier(name)}
        return bool(names) and sum(name in self.text for name in names) >= PASTED * len(names)


def _same_run(run: str, code: str) -> bool:
    """Whether a command is named: by itself, among others, or without its last options."""
    return run in code or (len(code) >= NAMING and run.startswith(f"{code} -"))


def _known_by(call: str) -> str:
    """A file by the last part of its path, a command by its program and what that is to do; of several commands the last."""
    tool, _, path = call.partition(" ")
    if tool[:1].isupper():
        return path.rsplit("/", 1)[-1]
    words = [piece.split() for piece in _PIECES.split(call.partition("$(")[0]) if piece.strip()]
    return " ".join(words[-1][:2]) if words else call
