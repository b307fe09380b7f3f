"""The parts of a group, as the rules see them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

# FR-036.
MOST_PARTICIPANTS = 10


class GroupStatus(StrEnum):
    """`waiting` for a person, `suspended` while no agent is there, `closed` for good."""

    ACTIVE = "active"
    WAITING = "waiting"
    SUSPENDED = "suspended"
    CLOSED = "closed"


class SelectionOutcome(StrEnum):
    """`person`: a person is to say how it goes on; `nobody`: no agent is there."""

    CHOSEN = "chosen"
    PERSON = "person"
    NOBODY = "nobody"


class TurnStatus(StrEnum):
    """`expired`: its lease ran out; `taken_back`: its agent is gone, or another instance of it began."""

    OPEN = "open"
    DONE = "done"
    EXPIRED = "expired"
    TAKEN_BACK = "taken_back"


class RoutingAction(StrEnum):
    RAISE = "raise"
    LOWER = "lower"
    SKIP = "skip"
    ADVANCE = "advance"


@dataclass(frozen=True, slots=True)
class GroupSpeaker:
    """A participant. `done` are words of what it said here; `last_turn` is the number of its latest turn, 0 where it had none."""

    name: str
    status: str = "ready"
    role: str = ""
    expertise: tuple[str, ...] = ()
    priority: int = 0
    failures: int = 0
    excluded: bool = False
    done: str = ""
    last_turn: int = 0
    place: int = 0


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A turn since a person spoke, or since the group began; `news`: something was said that had not been said."""

    speaker: str
    news: bool = True


@dataclass(frozen=True, slots=True)
class RoutingEffect:
    """What a rule makes of an event, for the next selection; `event` is the id of the event behind it."""

    action: RoutingAction
    agent: str
    event: str
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class StepDemand:
    """What the present step of the workflow asks for."""

    key: str
    title: str = ""
    owner: str = ""
    expertise: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupSituation:
    """All that a selection is made from. `past` is the oldest first; `asked` was said last, `about` is what a person
    asked where that is something else; `advice` is whom a model named, where one was asked."""

    strategy: str
    speakers: tuple[GroupSpeaker, ...]
    past: tuple[PastTurn, ...] = ()
    asked: str = ""
    about: str = ""
    step: StepDemand | None = None
    effects: tuple[RoutingEffect, ...] = ()
    advice: str | None = None


@dataclass(frozen=True, slots=True)
class SpeakerScores:
    """Whom a strategy prefers: the highest first wins; `reason` says why the first of them does. `fallback`: it could not tell.
    `doubt` says why the rules of expertise are unsure; empty where they are sure, or had nothing to say."""

    scores: Mapping[str, float]
    reason: str
    fallback: bool = False
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Selected:
    """Who speaks next and why; `refused` says of each other participant why it may not. `events` are those behind the choice.
    `doubt` says why the rules of expertise were unsure, if they chose and were."""

    outcome: SelectionOutcome
    speaker: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    fallback: bool = False
    events: tuple[str, ...] = ()
    doubt: str = ""
