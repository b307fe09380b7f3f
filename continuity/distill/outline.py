"""What a package needs to know of a fold, kept beside it: a few kilobytes instead of all that folding on needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from continuity.distill.codec import decode, encode
from continuity.distill.model import Quote, Situation, Turn
from continuity.distill.situation import situation
from continuity.distill.state import RULES_VERSION, FoldState, OutdatedState


@dataclass(frozen=True, slots=True)
class Outline:
    """Where the work stands after message `through_seq`, the recent turns, and the parts of a long request."""

    situation: Situation = field(default_factory=Situation)
    turns: tuple[Turn, ...] = ()
    through_seq: int = 0
    brief: tuple[Quote, ...] = ()


def outline_of(state: FoldState) -> Outline:
    return Outline(situation(state), state.turns, state.through_seq, state.brief)


def outline_to_json(outline: Outline) -> dict[str, Any]:
    return {"rules_version": RULES_VERSION, "outline": encode(outline)}


def outline_from_json(raw: Mapping[str, Any]) -> Outline:
    """The inverse of `outline_to_json`. Raises OutdatedState for another rules version, ValueError or TypeError for another shape."""
    if raw.get("rules_version") != RULES_VERSION:
        raise OutdatedState(f"rules version {raw.get('rules_version')!r}, not {RULES_VERSION!r}")
    return decode(Outline, raw["outline"])
