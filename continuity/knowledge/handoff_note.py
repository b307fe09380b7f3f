"""The outgoing agent's own note, as a package is made from it: its statements with what the check said of each. Plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b


class NoteVerdict(StrEnum):
    """What is known says so too, says nothing of it, or says otherwise."""

    SUPPORTED = "supported"
    UNCONTRADICTED = "uncontradicted"
    CONTRADICTED = "contradicted"


# Where in a statement's key its place ends: what follows is the same for the same words of the same part.
WORDS_FROM = 4


def statement_key(place: int, part: str, text: str) -> str:
    """The name of a statement, by which statements sort as in the note."""
    return f"n{place:03}{blake2b(f'{part}|{text}'.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """One statement of a part of the note. `reason` is a plain sentence, never empty where it is contradicted; `unsaid` says that it is
    so because nobody was found to have said it; `person` that a person wrote it. `key` names it: its place in the note and its words."""

    part: str
    text: str
    verdict: NoteVerdict = NoteVerdict.UNCONTRADICTED
    reason: str = ""
    unsaid: bool = False
    person: bool = False
    key: str = ""


@dataclass(frozen=True, slots=True)
class CheckedNote:
    """The statements in the order of the note, which was written when message `through_seq` was the last one."""

    statements: tuple[CheckedStatement, ...]
    through_seq: int

    @property
    def told(self) -> tuple[CheckedStatement, ...]:
        """Those that a package may tell."""
        return tuple(each for each in self.statements if each.verdict is not NoteVerdict.CONTRADICTED)
