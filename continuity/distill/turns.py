"""The recent past of a conversation, verbatim and bounded, for the end of a package."""

from __future__ import annotations

from dataclasses import replace

from continuity.distill.clip import shorten
from continuity.distill.codec import cost
from continuity.distill.memo import remembered
from continuity.distill.model import Quote, Turn

KEPT = 12
REQUEST = 2000
ANSWER = 1500
SIZE = 36_000


def ask(turns: tuple[Turn, ...], seq: int, request: Quote) -> tuple[Turn, ...]:
    """The turns with a new one that the person's words begin."""
    return _bounded((*turns, Turn(seq, shorten(request, REQUEST), None)))


def answer(turns: tuple[Turn, ...], seq: int, words: Quote) -> tuple[Turn, ...]:
    """The turns with the agent's latest words as the answer of the last one."""
    latest = replace(turns[-1], answer=shorten(words, ANSWER)) if turns else Turn(seq, None, shorten(words, ANSWER))
    return _bounded((*turns[:-1], latest))


def _bounded(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    turns = turns[-KEPT:]
    while len(turns) > 1 and sum(map(_size, turns)) > SIZE:
        turns = turns[1:]
    return turns


def _size(turn: Turn) -> int:
    return sum(_cost(quote.text) + 40 for quote in (turn.request, turn.answer) if quote is not None)


_cost = remembered(cost)
