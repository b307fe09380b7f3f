"""How often each term was used and when last: kept as messages arrive, bounded, the longest unused forgotten first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from continuity.knowledge.state.bounded_maps import BoundedMap
from continuity.knowledge.state.codec import cost

# Bytes that a use takes beside its term as JSON: brackets, commas, four numbers.
_USE = 30
# The entry that every message uses: it counts messages, and knows the last of the person.
ANY = ""


@dataclass(slots=True)  # not frozen: one is made for every term of every message, and that takes three times as long
class TermUse:
    """Messages of the agent (also its calls) and of the person that use a term; the last message that does, and the last of the
    person."""

    agent: int = 0
    person: int = 0
    last_seq: int = 0
    heard_seq: int = 0

    @property
    def messages(self) -> int:
        return self.agent + self.person


UNUSED = TermUse()


class TermUses(BoundedMap[TermUse]):
    """A bounded map of terms to their uses, which counts all terms of a message at once."""

    __slots__ = ()

    def __init__(self, count: int, size: int) -> None:
        super().__init__(TermUse, count, size)

    def count_all(self, terms: Iterable[str], seq: int, *, person: bool) -> None:
        """Count a use of each term (given once) in message `seq`."""
        items, costs = self._items, self._costs
        for term in (*terms, ANY):
            use = items.pop(term, UNUSED)
            if person:
                items[term] = TermUse(use.agent, use.person + 1, seq, seq)
            else:
                items[term] = TermUse(use.agent + 1, use.person, seq, use.heard_seq)
            if term not in costs:
                costs[term] = price = self._price(term, UNUSED)
                self._spent += price
        self._shrink()

    def use_of(self, term: str) -> TermUse:
        return self._items.get(term, UNUSED)

    def load(self, raw: list[Any]) -> TermUses:
        for term, use in raw:
            self._set(term, TermUse(*use))
        return self

    def _twin(self) -> TermUses:
        return TermUses(self.count, self.size)

    def _price(self, key: str, value: TermUse) -> int:
        """What a term takes as JSON, at most: reckoned, not written out."""
        return (len(key) if key.isascii() else cost(key)) + _USE
