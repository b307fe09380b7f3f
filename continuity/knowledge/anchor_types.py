"""The traits of the types of anchors: one row for each type, which everything that decides by type reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from continuity.knowledge.model import AnchorType


@dataclass(frozen=True, slots=True)
class AnchorTraits:
    """A type of anchor: its word in a directive, and its importance where nothing else says it (by hand, or in a directive's text).

    Where its source does not say so, an anchor that is `laid_down` is the person's, and one that `binds` is critical. `chosen` is what
    stands against other choices, whatever their type, and what a model may name as critical; what is `replaceable` can be superseded by a
    later statement. A `rule` holds beyond the request in which it was said, if its words say so; a `finding` is what work showed; what is
    `addressed` somebody waits for; a `landmine` warns later sessions.
    """

    words: str
    importance: float
    laid_down: bool = False
    binds: bool = False
    chosen: bool = False
    replaceable: bool = False
    rule: bool = False
    finding: bool = False
    addressed: bool = False
    landmine: bool = False


TRAITS: Mapping[AnchorType, AnchorTraits] = MappingProxyType(
    {
        AnchorType.CONSTRAINT: AnchorTraits("rule", 1.0, laid_down=True, binds=True, chosen=True, replaceable=True, rule=True),
        AnchorType.DECISION: AnchorTraits("decision", 0.95, laid_down=True, binds=True, chosen=True, replaceable=True),
        AnchorType.CORRECTION: AnchorTraits("correction", 1.0, laid_down=True, binds=True, chosen=True, replaceable=True, landmine=True),
        AnchorType.COMMITMENT: AnchorTraits("promise", 0.9, binds=True, addressed=True),
        AnchorType.ERROR: AnchorTraits("error", 0.7, finding=True),
        AnchorType.FAILED_APPROACH: AnchorTraits("failed approach", 0.7, landmine=True),
        AnchorType.FACT: AnchorTraits("fact", 0.85, replaceable=True, finding=True),
        AnchorType.ARTIFACT: AnchorTraits("artifact", 0.65),
        AnchorType.PREFERENCE: AnchorTraits("preference", 0.75, laid_down=True, replaceable=True, rule=True),
        AnchorType.QUESTION: AnchorTraits("question", 0.8, addressed=True),
    }
)

LAID_DOWN = frozenset(type for type, traits in TRAITS.items() if traits.laid_down)
BINDING = frozenset(type for type, traits in TRAITS.items() if traits.binds)
CHOSEN = frozenset(type for type, traits in TRAITS.items() if traits.chosen)
REPLACEABLE = frozenset(type for type, traits in TRAITS.items() if traits.replaceable)
RULES = frozenset(type for type, traits in TRAITS.items() if traits.rule)
FINDINGS = frozenset(type for type, traits in TRAITS.items() if traits.finding)
ADDRESSED = frozenset(type for type, traits in TRAITS.items() if traits.addressed)
LANDMINES = frozenset(type for type, traits in TRAITS.items() if traits.landmine)
