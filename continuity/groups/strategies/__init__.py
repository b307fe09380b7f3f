"""Strategies by which a speaker is chosen among those who may speak: one module for each, and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from continuity.groups.model import Situation, Speaker, SpeakerScores
from continuity.groups.strategies import expertise, llm, priority, round_robin

SpeakerStrategy = Callable[[Situation, Sequence[Speaker]], SpeakerScores]

STRATEGIES: Mapping[str, SpeakerStrategy] = {
    "round_robin": round_robin.score,
    "priority": priority.score,
    "expertise": expertise.score,
    "llm": llm.score,
}
