"""Use of a conversation's context window (CONT-02's TokenUsage)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class WindowUsage:
    """Tokens in the window: `total`, of which `system` and `history`, and what the last message added.

    `average_per_message` is total over messages; `average_per_turn` is what one turn (a person's message and all that
    answers it) adds. `updated` is when the figures were last changed.
    """

    total: int
    system: int = 0
    history: int = 0
    last_message: int = 0
    message_count: int = 0
    average_per_message: float = 0.0
    average_per_turn: float = 0.0
    updated: datetime | None = None
