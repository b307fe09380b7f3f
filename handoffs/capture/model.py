"""What drafts are made from, and what a draft is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from continuity.knowledge.model import Anchor, FileTouch, Request


class DraftKind(StrEnum):
    """A landmine (what was tried in vain, what was corrected), a decision as a record, or what was done."""

    LANDMINE = "landmine"
    ADR = "adr"
    DEVLOG = "devlog"


class Trigger(StrEnum):
    """The reason for a draft."""

    DIRECTION = "direction"
    TESTS = "tests"
    BOUNDARY = "boundary"
    DIFF = "diff"


@dataclass(frozen=True, slots=True)
class CapturePolicy:
    """When drafts are made, and how many: of a session, and of a team in a day."""

    diff_lines: int = 200
    window: timedelta = timedelta(minutes=30)
    of_session: int = 3
    of_day: int = 40
    boundaries: tuple[str, ...] = ()  # globs of paths


@dataclass(frozen=True, slots=True)
class QuotedSentence:
    """A quotation, from message `seq`."""

    text: str
    seq: int


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """`subject` tells drafts about one thing from others; `files` are paths of the repository."""

    kind: DraftKind
    trigger: Trigger
    subject: str
    title: str
    sentences: tuple[QuotedSentence, ...]
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionEvidence:
    """The evidence of the fold. `files` have paths of the repository, `diff_lines` counts what was committed since the session began."""

    anchors: Sequence[Anchor] = ()
    superseded: Sequence[Anchor] = ()
    files: Sequence[FileTouch] = ()
    requests: Sequence[Request] = ()
    diff_lines: int = 0
