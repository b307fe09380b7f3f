"""Pairs results with calls: by the call's id, else with the earliest call that still waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from continuity.transcripts.base.model import Message, Part, PartKind

Place = tuple[int, int]  # number of a message, index of a part


@dataclass(frozen=True, slots=True)
class Pairs:
    """`results` by the place of their call; `quiet` are the places of results that say nothing that their call does not."""

    results: dict[Place, Part] = field(default_factory=dict)
    quiet: set[Place] = field(default_factory=set)


def paired(messages: Iterable[tuple[int, Message]], says_nothing: Callable[[Part], bool]) -> Pairs:
    """The pairs among the messages; `says_nothing` tells of a call whether its result only acknowledges it, unless it failed."""
    pairs = Pairs()
    waiting: dict[str, tuple[Place, Part]] = {}
    for seq, message in messages:
        for index, part in enumerate(message.parts):
            if part.kind is PartKind.TOOL_CALL:
                waiting[part.call_id or f"#{seq}.{index}"] = ((seq, index), part)
            elif part.kind is PartKind.TOOL_RESULT:
                key = part.call_id or next((name for name in waiting if name.startswith("#")), "")
                if key in waiting:
                    place, call = waiting.pop(key)
                    pairs.results[place] = part
                    if not part.failed and says_nothing(call):
                        pairs.quiet.add((seq, index))
    return pairs
