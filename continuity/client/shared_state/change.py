"""One change of a state: from what was read to what is wanted; and how it is sent until the server has it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from continuity.client.connection import Refused
from continuity.client.shared_state.calls import StateCalls
from continuity.shared_state import merging
from continuity.shared_state.values import ABSENT

# FR-005: so often, after so long, a change is done again on what others wrote meanwhile.
ATTEMPTS = 3
PAUSE = 0.1


class StateConflict(Exception):
    """Others changed the state since it was read, and its strategy does not let this write pass; `current` is what is there now."""

    def __init__(self, why: str, *, key: str, current: Any, version: int, places: list[str]) -> None:
        self.key, self.current, self.version, self.places = key, current, version, places
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class StateChange:
    """`before` was read as version `base` (ABSENT and 0: there was nothing), `after` is wanted. `whole`: it does not depend on what was
    there. `about` may hold `strategy` and `merges`. With its `id` it is stored once, however often it is sent. `follows` is the id of the
    change that waited for the server when this one was made on what it leaves.
    """

    key: str
    before: Any
    after: Any
    base: int
    whole: bool
    about: Mapping[str, Any]
    id: str
    follows: str = ""

    @classmethod
    def make(cls, key: str, before: Any, after: Any, base: int, *, whole: bool, about: Mapping[str, Any] | None = None) -> StateChange:
        return cls(key, before, after, base, whole, about or {}, str(uuid4()))

    def as_json(self) -> dict[str, Any]:
        both = {"before": _listed(self.before), "after": _listed(self.after)}
        return {
            "key": self.key,
            **both,
            "base": self.base,
            "whole": self.whole,
            "about": dict(self.about),
            "id": self.id,
            "follows": self.follows,
        }

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> StateChange:
        """Raises KeyError, TypeError and ValueError."""
        before, after = (list(told[name]) for name in ("before", "after"))
        both = (before[0] if before else ABSENT, after[0] if after else ABSENT)
        return cls(
            str(told["key"]), *both, int(told["base"]), bool(told["whole"]), dict(told["about"]), str(told["id"]), str(told["follows"])
        )


def send(calls: StateCalls, change: StateChange, *, sleep: Callable[[float], object] = time.sleep) -> dict[str, Any]:
    """Send the change, and return the server's result. Raises StateConflict, Away and Refused.

    Where others wrote meanwhile, the state's strategy decides. `last_write_wins`: the change is done again on what is there now, three
    times; where both changed the same places, or it still does not fit, it overwrites, and the server tells so. `merge` and `manual` are
    the server's business, `reject` is the caller's.
    """
    now = change
    for _ in range(ATTEMPTS):
        try:
            return _sent(calls, now, strict=not change.whole)
        except Refused as refused:
            if refused.status != 412:
                raise
            if refused.problem.get("strategy") != "last_write_wins":
                return _decided_there(calls, change, refused)
        sleep(PAUSE)
        found = calls.read(change.key)
        current = ABSENT if found["removed"] else found["value"]
        if merging.three_way(change.before, current, change.after).contested:
            # What they wrote elsewhere stays; in these places it is overwritten.
            mine = merging.three_way(change.before, change.after, current).value
            return _sent(calls, replace(change, after=mine), strict=False)
        both = merging.three_way(change.before, current, change.after).value
        now = replace(change, after=both, base=int(found["version"]))
    return _sent(calls, now, strict=False)


def _decided_there(calls: StateCalls, change: StateChange, refused: Refused) -> dict[str, Any]:
    try:
        if refused.problem.get("strategy") in ("merge", "manual") and not change.whole:
            return _sent(calls, change, strict=False)
    except Refused as again:
        if again.status != 412:
            raise
        refused = again
    found = calls.read(change.key)
    current, places = None if found["removed"] else found["value"], list(refused.problem.get("places", []))
    raise StateConflict(str(refused), key=change.key, current=current, version=int(found["version"]), places=places) from refused


def _sent(calls: StateCalls, change: StateChange, *, strict: bool) -> dict[str, Any]:
    how = {"base": change.base, "id": change.id, "strict": strict}
    if change.after is ABSENT:
        return calls.remove(change.key, how)
    return calls.put(change.key, {**change.about, **how, "value": change.after})


def _listed(value: Any) -> list[Any]:
    return [] if value is ABSENT else [value]
