"""Messages that a Codex rollback takes back: the person's last turns and all that answered them."""

from __future__ import annotations

from collections import deque

MAX_TURNS = 1000


class Turns:
    """The external ids of the last 1,000 turns; a turn begins with a person's message."""

    def __init__(self) -> None:
        self._turns: deque[list[str]] = deque(maxlen=MAX_TURNS)

    def add(self, external_id: str, *, begins: bool) -> None:
        if begins:
            self._turns.append([])
        if self._turns:
            self._turns[-1].append(external_id)

    def roll_back(self, number: int) -> tuple[str, ...]:
        """Drops the last `number` turns and returns their messages in order."""
        dropped = [self._turns.pop() for _ in range(min(number, len(self._turns)))]
        return tuple(external_id for turn in reversed(dropped) for external_id in turn)
