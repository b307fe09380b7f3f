"""Strategies by which a speaker is chosen among those who may speak: one module for each, and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from continuity.groups.model import GroupSituation, GroupSpeaker, SpeakerScores
from continuity.groups.strategies import expertise, llm, priority, round_robin

SpeakerStrategy = Callable[[GroupSituation, Sequence[GroupSpeaker]], SpeakerScores]

STRATEGIES: Mapping[str, SpeakerStrategy] = {
    "round_robin": round_robin.score,
    "priority": priority.score,
    "expertise": expertise.score,
    "llm": llm.score,
}
