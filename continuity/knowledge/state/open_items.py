"""Items that later messages may still change: anchors, calls without a result, the last proposal."""

from __future__ import annotations

from dataclasses import dataclass

from continuity.knowledge.model import AnchorType, FileAction, Quote, Truth


@dataclass(frozen=True, slots=True)
class OpenAnchor:
    """A current anchor as far as later words can settle it.

    `words` are its content words in order, `subject` its normalised topic, `amounts` its quantities. `until` says what closes
    it: for a commitment `act`, `turn` or `later`; for an error the command that failed; for a question `person` or `agent`, who
    must answer, or `reply` where only the person can; for a rule `request` where it is over with that.
    """

    key: str
    type: AnchorType
    seq: int
    words: str
    subject: str
    truth: Truth
    importance: float
    until: str = ""
    repeats: int = 0
    amounts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """What a call does to one path when it succeeds; `symbols` are the names that it newly defines there, `removed` those that
    it defines no longer."""

    action: FileAction
    path: str
    note: str = ""
    symbols: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """A tool call that waits for its result, with what the result alone would not tell."""

    name: str
    seq: int
    part: int = 0
    agent: str = ""
    command: str = ""
    effects: tuple[Effect, ...] = ()
    partial: tuple[Effect, ...] = ()
    subject: str = ""
    text: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the agent last put to the person: its question, the course it recommends, and the numbered options."""

    question: Quote | None = None
    course: Quote | None = None
    options: tuple[Quote, ...] = ()
