"""The outline of a fold for packages: a few kilobytes instead of its whole state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from continuity.core.isolation import NOT_ITS_FAULT, RuleFault, error_type
from continuity.knowledge import versions
from continuity.knowledge.coverage.carried import Carried
from continuity.knowledge.coverage.keeping import carried
from continuity.knowledge.model import Quote, Request, Situation, Turn
from continuity.knowledge.state.codec import decode, encode
from continuity.knowledge.state.situation import situation
from continuity.knowledge.state.state import FoldState


@dataclass(frozen=True, slots=True)
class Outline:
    """Where the work stands after message `through_seq`, the recent turns, the parts of a long request, and the ledger of requests."""

    situation: Situation = field(default_factory=Situation)
    turns: tuple[Turn, ...] = ()
    through_seq: int = 0
    brief: tuple[Quote, ...] = ()
    requests: tuple[Request, ...] = ()
    carried: Carried = field(default_factory=Carried)


def outline_of(state: FoldState, faults: list[RuleFault] | None = None) -> Outline:
    """What the state tells; where telling the situation raises, the rest of it, which is entered in `faults`."""
    try:
        told = situation(state)
    except NOT_ITS_FAULT:
        raise
    except Exception as error:  # noqa: BLE001  counted: a package says the rest
        told = Situation()
        if faults is not None:
            faults.append(RuleFault("situation", error_type(error)))
    return Outline(told, state.turns, state.through_seq, state.brief, state.requests, carried_of(state))


def carried_of(state: FoldState) -> Carried:
    """The words that the state keeps for packages, and what they weigh after its last message."""
    return carried(state.terms, state.units, state.through_seq)


def outline_to_json(outline: Outline) -> dict[str, Any]:
    return {"rules_version": versions.RULES_VERSION, "outline": encode(outline)}


def outline_from_json(raw: Mapping[str, Any]) -> Outline:
    """The inverse of `outline_to_json`. Raises OutdatedState or NewerState, and ValueError or TypeError for another shape."""
    versions.check(raw)
    return decode(Outline, raw["outline"])


_LEDGER = [each.name for each in fields(Outline)].index("requests")
_PLACE = [each.name for each in fields(Request)].index("seq")


def request_from_json(raw: Mapping[str, Any], seq: int) -> Request | None:
    """The row of the ledger for message `seq` of an outline as it is stored; the rest is not read. Raises as `outline_from_json` does."""
    versions.check(raw)
    row = next((each for each in raw["outline"][_LEDGER] if each[_PLACE] == seq), None)
    return None if row is None else decode(Request, row)
