"""Terms of sessions at cuts, with their marks, and whether what followed used them again."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from continuity.knowledge.coverage import keeping
from continuity.knowledge.coverage.chance import marks_of
from continuity.knowledge.coverage.term_uses import ANY, TermUses
from continuity.knowledge.state.state import TERMS
from continuity.transcripts.base.model import Message

CUTS = 6  # of one session, evenly spread
AT_ONE_CUT = 200  # terms of one cut
AHEAD = 100  # messages after a cut in which a term counts as used again
FEWEST = 20  # messages before and after a cut


@dataclass(frozen=True, slots=True)
class TermObservation:
    """A term at a cut: its marks, and whether it was used again."""

    marks: tuple[float, ...]
    again: bool


@dataclass(frozen=True, slots=True)
class Observed:
    """What sessions showed, at so many cuts."""

    sessions: int
    cuts: int
    terms: tuple[TermObservation, ...]


def observe(sessions: Iterable[Sequence[Message]], *, seed: int) -> Observed:
    """The observations of sessions, each given as its main conversation's messages; which terms of a cut count is chosen with `seed`."""
    terms: list[TermObservation] = []
    counted = cuts = 0
    for number, messages in enumerate(sessions):
        counted += 1
        for cut, seen in _cuts(messages, random.Random(f"{seed}:{number}")):
            cuts += cut
            terms += seen
    return Observed(counted, cuts, tuple(terms))


def _cuts(messages: Sequence[Message], chance: random.Random) -> Iterable[tuple[int, list[TermObservation]]]:
    places = {len(messages) * n // (CUTS + 1) for n in range(1, CUTS + 1)}
    uses = TermUses(*TERMS)
    for seq, message in enumerate(messages, 1):
        keeping.count(uses, message, seq)
        if seq in places and seq >= FEWEST and len(messages) - seq >= FEWEST:
            again = _used_again(messages[seq : seq + AHEAD])
            known = [(term, use) for term, use in uses.items() if term != ANY]
            some = chance.sample(known, min(AT_ONE_CUT, len(known)))
            prompt = uses.use_of(ANY).heard_seq
            yield 1, [TermObservation(marks_of(term, use, seq, prompt), term in again) for term, use in some]


def _used_again(messages: Iterable[Message]) -> set[str]:
    """The terms that calls or the person use."""
    return {term for message in messages for term in keeping.used_terms(message)}
