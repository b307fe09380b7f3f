"""The requests of people, turn by turn, and their outcomes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from continuity.transcripts.base.model import Message, PartKind, Voice
from handoffs.fidelity.probes import imperatives
from handoffs.fidelity.probes.speech import is_of_program, texts_of, tidy
from handoffs.fidelity.probes.words import words_of

FIRST, LATEST = 3, 40
WORDS = 1200
SHORT = 60  # characters of a message that may only answer or nod
_GO_ON = re.compile(
    r"\W*(?:please )?(?:continue|go on|go ahead|proceed|keep going|carry on|resume|weiter|mach weiter|continuez?|sigue|continúa)\b"
    r"|继续|続けて",
    re.I,
)


@dataclass(frozen=True, slots=True)
class RawTurn:
    """A message of a person (`size` characters), or a command given by name, and what came of it until the next one.

    `closing` are the agent's last words so far, the end of them, said in message `closing_seq` (0: none). `stopped` says that the
    person broke it off.
    """

    seq: int
    words: str
    size: int = 0
    command: bool = False
    closing: str = ""
    closing_seq: int = 0
    last_seq: int = 0
    calls: int = 0
    edits: int = 0
    commits: int = 0
    stopped: bool = False

    def to_json(self) -> list[Any]:
        return list(astuple(self))

    @classmethod
    def from_json(cls, raw: Sequence[Any]) -> RawTurn:
        return cls(*raw)


def asked_by(seq: int, message: Message) -> RawTurn | None:
    """The turn that a message begins; None where no person speaks in it, or a program wrote what stands there."""
    texts = [tidy(text) for text in texts_of(message, Voice.PERSON)]
    words = " ".join(text for text in texts if text and not is_of_program(text))
    named = next((name for part in message.parts if part.kind is PartKind.TEXT and (name := _command(part.data))), "")
    if not words and not named:
        return None
    told = f"{named} {words}".strip()
    return RawTurn(seq, told[:WORDS], len(told), bool(named), last_seq=seq)


def bounded_turns(turns: list[RawTurn]) -> list[RawTurn]:
    """The first ones and the latest."""
    return turns if len(turns) <= FIRST + LATEST else [*turns[:FIRST], *turns[-LATEST:]]


def _command(data: Mapping[str, Any]) -> str:
    found = data.get("command")
    return found[:60] if isinstance(found, str) else ""


def in_work(turns: Sequence[RawTurn]) -> frozenset[int]:
    """The turns that the work is about: the last one, and those before it that it only answers, nods to, breaks off or adds to."""
    found: set[int] = set()
    for at in range(len(turns) - 1, -1, -1):
        turn = turns[at]
        found.add(turn.seq)
        before = turns[at - 1] if at else None
        if before is None or not (_follows(turn, before)):
            break
    return frozenset(found)


def _follows(turn: RawTurn, before: RawTurn) -> bool:
    """Whether a turn goes on with the one before it."""
    if before.stopped or not (before.closing_seq or before.calls):
        return True
    if turn.command:
        return False
    if turn.size <= 4 * SHORT and imperatives.reverses(turn.words[:SHORT]):
        return True
    if turn.size > SHORT:
        return False
    if _GO_ON.match(turn.words):
        return True
    few = len(words_of(turn.words)) <= 2
    return few and not _asks(turn.words) and (_asks(before.closing[-120:]) or not before.closing)


def _asks(text: str) -> bool:
    return "?" in text or "？" in text or "؟" in text
