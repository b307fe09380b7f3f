"""The highest priority first; among equals one after the other. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from continuity.groups.model import GroupSituation, GroupSpeaker, SpeakerScores
from continuity.groups.strategies.round_robin import longest_silent


def score(situation: GroupSituation, speakers: Sequence[GroupSpeaker]) -> SpeakerScores:
    """Scores from 0 to 1 as priorities go from -1000 to 1000."""
    highest = max(each.priority for each in speakers)
    first = longest_silent([each for each in speakers if each.priority == highest])
    return SpeakerScores({each.name: (each.priority + 1000) / 2000 for each in speakers}, f"{first.name} has the priority {highest}")
