"""The recent past of a conversation, verbatim and bounded, for the end of a package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from continuity.knowledge.language.clip import shorten
from continuity.knowledge.language.options import offered
from continuity.knowledge.language.sentences import split
from continuity.knowledge.model import Quote, Turn
from continuity.knowledge.state.codec import cost
from continuity.knowledge.state.fold_cache import cached

KEPT = 12
SAID, SAID_CHARS, SAID_LEAST = 8, 600, 60  # what the agent told in a turn that lasts, and characters of each
THOUGHT, THOUGHT_LEAST = 2400, 120  # characters of where the last thought arrived, and fewer than which it tells nothing
WEIGHED, WEIGHED_CHARS = 12, 320
REQUEST = 2000
ANSWER = 1500
LATEST = 3000  # of what the agent told last, and of what the person answers now: where its end may ask, offer or warn
SIZE = 34_000


def ask(turns: tuple[Turn, ...], seq: int, request: Quote) -> tuple[Turn, ...]:
    """The turns with a new one that the person's words begin; of the one before only the last words stay, of the one before that without
    the options that it gave: what was chosen of them is a decision, and what was not holds no longer."""
    told = (*turns[:-2], replace(turns[-2], answer=_briefly(turns[-2].answer), weighed=())) if len(turns) > 1 else ()
    ended = (*told, replace(turns[-1], said=(), thought=None)) if turns else ()
    return _bounded((*ended, Turn(seq, shorten(request, REQUEST), None)))


def _briefly(answer: Quote | None) -> Quote | None:
    """The beginning of the words, up to the options that they lead to."""
    if answer is None:
        return None
    begin = offered(split(answer.text))
    before = len(answer.text) if begin is None else len(answer.text[: answer.text.rfind("\n", 0, begin) + 1].rstrip())
    return shorten(answer, min(before, ANSWER))


def answer(turns: tuple[Turn, ...], seq: int, words: Quote, *, tells: bool) -> tuple[Turn, ...]:
    """The turns with the agent's latest words as the answer of the last one; those that tell something stay while the turn lasts."""
    last = turns[-1] if turns else Turn(seq, None, None)
    said = (*last.said, shorten(words, SAID_CHARS))[-SAID:] if tells and len(words.text) >= SAID_LEAST else last.said
    return _bounded((*turns[:-1], replace(last, answer=shorten(words, LATEST), said=said)))


def think(turns: tuple[Turn, ...], words: Quote) -> tuple[Turn, ...]:
    """The turns with what the agent thought last, at most THOUGHT characters of it."""
    return _bounded((*turns[:-1], replace(turns[-1], thought=shorten(words, THOUGHT)))) if turns else turns


def weigh(turns: tuple[Turn, ...], words: Sequence[Quote]) -> tuple[Turn, ...]:
    """The turns with sentences in which the agent weighed something, the latest; what it thinks again is kept once."""
    if not turns or not words:
        return turns
    kept = {quote.text: quote for quote in (*turns[-1].weighed, *words)}
    latest = tuple(shorten(quote, WEIGHED_CHARS) for quote in kept.values())[-WEIGHED:]
    return _bounded((*turns[:-1], replace(turns[-1], weighed=latest)))


def forget_thought(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """The turns when a report said what came of the thought."""
    return (*turns[:-1], replace(turns[-1], thought=None)) if turns and turns[-1].thought else turns


def _bounded(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    turns = turns[-KEPT:]
    while len(turns) > 1 and sum(map(_size, turns)) > SIZE:
        turns = turns[1:]
    return turns


def _size(turn: Turn) -> int:
    return sum(
        _cost(quote.text) + 40 for quote in (turn.request, turn.answer, turn.thought, *turn.said, *turn.weighed) if quote is not None
    )


_cost = cached(cost)
