"""To what a message of the person belongs that says little by itself: an answer to the agent, or words that go on with earlier work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from continuity.knowledge.model import Quote, Request, RequestKind, RequestState

BEGINNING = 100  # characters by which a message is known again where its words are kept shorter
_WORK = frozenset((RequestKind.REQUEST, RequestKind.REPORT, RequestKind.CORRECTION))


@dataclass(frozen=True, slots=True)
class Belonging:
    """`work` is the request that began the work, `answers` what the agent had asked or offered; one of them may be missing."""

    work: Quote | None = None
    answers: Quote | None = None


def belongings(requests: Iterable[Request]) -> Mapping[str, Belonging]:
    """By `known_by` of a message's words, those of the ledger's rows that belong to something. The rows are in their order."""
    found: dict[str, Belonging] = {}
    work: Quote | None = None
    asks = True  # nothing but questions so far: one between requests begins no work of its own
    for row in requests:
        if row.continues or row.answers is not None or row.kind is RequestKind.ANSWER:
            if work is not None or row.answers is not None:
                found[known_by(row.text.text)] = Belonging(work, row.answers)
        elif row.state is not RequestState.WITHDRAWN and (row.kind in _WORK or (asks and row.kind is RequestKind.QUESTION)):
            work, asks = row.text, row.kind is RequestKind.QUESTION
    return found


def known_by(words: str) -> str:
    """How the words of a message begin, on one line."""
    return " ".join(words[: BEGINNING * 4].split())[:BEGINNING]
