"""Names with what their uses weigh: the oldest are forgotten, and a use counts for less the longer it is ago."""

from __future__ import annotations

from collections.abc import Iterable

from continuity.knowledge.state.bounded_maps import BoundedMap
from continuity.knowledge.state.open_items import Use

# Bytes that a use takes beside its name: two brackets each, quotes, commas, a weight below 1,000 with three decimals, a number.
_USE = 28


class Uses(BoundedMap[Use]):
    """A bounded map of names to their uses, which counts a whole message's names at once: each message has dozens."""

    __slots__ = ()

    def __init__(self, count: int, size: int) -> None:
        super().__init__(Use, count, size)

    def count_all(self, names: Iterable[str], weight: float, seq: int, half: int) -> None:
        """Add a use of each name (given once) at message `seq`; every `half` messages an earlier one counts half."""
        items, costs = self._items, self._costs
        first = Use(round(weight, 3), seq)
        for name in names:
            if name in items and (self._spent > self.size or len(items) > self.count):
                self._shrink()  # which may forget this name, that those before it have pushed out
            if name in items:
                before = items.pop(name)
                items[name] = Use(round(before.weight * faded(seq - before.seq, half) + weight, 3), seq)
            else:
                items[name] = first
                costs[name] = price = len(name) + _USE
                self._spent += price
        self._shrink()

    def held(self, names: Iterable[str]) -> list[str]:
        """Those of the names that are in the map."""
        return [name for name in names if name in self._items]

    def _twin(self) -> Uses:
        return Uses(self.count, self.size)

    def _price(self, key: str, value: Use) -> int:
        """What a name takes as JSON, at most: reckoned, not written out."""
        return len(key) + _USE


def faded(messages: int, half: int) -> float:
    """What a use counts so many messages later."""
    return float(0.5 ** (max(0, messages) / half))
