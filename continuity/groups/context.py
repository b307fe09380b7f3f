"""The context of a participant before it speaks, within a budget: the latest messages whole, what was earlier by a line each. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

LEAST, MOST, USUAL = 200, 100_000, 4000
# Of the budget at most so much for the earlier course.
EARLIER = 0.3


@dataclass(frozen=True, slots=True)
class ContextMessage:
    """One message: who said it, a person where `speaker` is empty; `tokens` as it was counted when it was stored."""

    seq: int
    speaker: str
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class SharedContext:
    """`messages` the oldest first; `left_out` counts those before them that had no room; `cut`: the oldest shown is shortened."""

    messages: tuple[ContextMessage, ...]
    earlier: tuple[str, ...]
    tokens: int
    left_out: int
    cut: bool = False


def fill(
    messages: Sequence[ContextMessage], earlier: Sequence[str], *, budget: int, count: Callable[[str], int], before: int
) -> SharedContext:
    """The latest `messages` that fit (the oldest first in, and out), and of `earlier`, lines about what was before, the latest.

    `before` is how many messages there are in front of those given. The latest message is always told, shortened where it must be.
    """
    lines: list[str] = []
    used = 0
    whole = sum(each.tokens for each in messages)
    for line in reversed(earlier if before or whole > budget else ()):
        cost = count(line)
        if used + cost > budget * EARLIER:
            break
        lines.append(line)
        used += cost
    kept: list[ContextMessage] = []
    cut = False
    for message in reversed(messages):
        if used + message.tokens <= budget:
            kept.append(message)
            used += message.tokens
            continue
        if not kept:
            short = _shortened(message, budget - used, count)
            kept.append(short)
            used, cut = used + short.tokens, True
        break
    return SharedContext(tuple(reversed(kept)), tuple(reversed(lines)), used, before + len(messages) - len(kept), cut)


def _shortened(message: ContextMessage, room: int, count: Callable[[str], int]) -> ContextMessage:
    """The beginning and the end of a message that is too long by itself: at most four counts."""
    text, size = message.text, max(40, len(message.text) * room // max(1, message.tokens))
    for _ in range(4):
        short = text if len(text) <= size else f"{text[: size // 2]} […] {text[-size // 2 :]}"
        tokens = count(short)
        if tokens <= room or size <= 40:
            break
        size = max(40, size * room // (tokens + 1) - 8)
    return ContextMessage(message.seq, message.speaker, short, tokens)
