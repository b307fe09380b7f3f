"""Maps that forget their oldest entries, by number and by size, so that the fold's state never grows with the conversation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

from continuity.knowledge.state.codec import cost, decode, encode

V = TypeVar("V")


class BoundedMap(Generic[V]):
    """An insertion-ordered map from strings that drops its oldest entries over `count` entries or `size` bytes of JSON.

    Bounds hold after every change, never only at the end of a batch: what is forgotten must not depend on how the
    messages were divided into calls.
    """

    __slots__ = ("_costs", "_items", "_spent", "count", "kind", "size")

    def __init__(self, kind: type[V], count: int, size: int) -> None:
        self.kind = kind
        self.count = count
        self.size = size
        self._items: dict[str, V] = {}
        self._costs: dict[str, int] = {}
        self._spent = 0

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BoundedMap) and list(self._items.items()) == list(other._items.items())

    __hash__ = None  # type: ignore[assignment]

    def get(self, key: str) -> V | None:
        return self._items.get(key)

    def items(self) -> list[tuple[str, V]]:
        return list(self._items.items())

    def latest(self) -> Iterator[tuple[str, V]]:
        """The entries, the newest first; nothing may be put while they are gone through."""
        return reversed(self._items.items())

    def values(self) -> list[V]:
        return list(self._items.values())

    def among(self, keys: Iterable[str]) -> list[V]:
        """The values of those of the keys that are in the map."""
        items = self._items
        return [items[key] for key in keys if key in items]

    def put(self, key: str, value: V) -> list[V]:
        """Store as the newest entry; returns the values forgotten to make room, oldest first."""
        self.pop(key)
        return self._set(key, value)

    def replace(self, key: str, value: V) -> list[V]:
        """Store in the entry's present place; returns the values forgotten to make room."""
        return self._set(key, value)

    def _set(self, key: str, value: V) -> list[V]:
        price = self._price(key, value)
        self._spent += price - self._costs.get(key, 0)
        self._items[key] = value
        self._costs[key] = price
        return self._shrink()

    def _shrink(self) -> list[V]:
        """Forget the oldest entries over the bounds; returns their values, oldest first."""
        items, costs = self._items, self._costs
        over, spent = len(items) - self.count, self._spent
        if over <= 0 and spent <= self.size:
            return []
        oldest: list[str] = []
        for key in items:
            if over <= 0 and spent <= self.size:
                break
            over, spent = over - 1, spent - costs.pop(key)
            oldest.append(key)
        self._spent = spent
        return [items.pop(key) for key in oldest]

    def _price(self, key: str, value: V) -> int:
        """What an entry takes as JSON."""
        return cost(key) + 4 + cost(value)

    def pop(self, key: str) -> V | None:
        if key not in self._items:
            return None
        self._spent -= self._costs.pop(key)
        return self._items.pop(key)

    def clear(self) -> None:
        self._items.clear()
        self._costs.clear()
        self._spent = 0

    def copy(self) -> BoundedMap[V]:
        twin = self._twin()
        twin._items = self._items.copy()
        twin._costs = self._costs.copy()
        twin._spent = self._spent
        return twin

    def _twin(self) -> BoundedMap[V]:
        """An empty map with the same bounds."""
        return BoundedMap(self.kind, self.count, self.size)

    def to_json(self) -> list[Any]:
        return [[key, encode(value)] for key, value in self._items.items()]

    def load(self, raw: list[Any]) -> BoundedMap[V]:
        """Fill an empty map from `to_json`'s list; returns itself."""
        for key, value in raw:
            self._set(key, decode(self.kind, value))
        return self
