"""One after the other, in the order in which they joined. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from continuity.groups.model import Situation, Speaker, SpeakerScores


def score(situation: Situation, speakers: Sequence[Speaker]) -> SpeakerScores:
    """The longer ago somebody spoke, the higher."""
    first = longest_silent(speakers)
    ranks = sorted(speakers, key=_silence)
    scores = {each.name: (len(ranks) - rank) / len(ranks) for rank, each in enumerate(ranks)}
    return SpeakerScores(scores, f"it is {first.name}'s turn")


def longest_silent(speakers: Sequence[Speaker]) -> Speaker:
    """Who spoke longest ago; of those who never did, the first in the group."""
    return min(speakers, key=_silence)


def _silence(speaker: Speaker) -> tuple[int, int, str]:
    return speaker.last_turn, speaker.place, speaker.name
