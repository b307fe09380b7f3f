"""One after the other, in the order in which they joined. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from continuity.groups.model import GroupSituation, GroupSpeaker, SpeakerScores


def score(situation: GroupSituation, speakers: Sequence[GroupSpeaker]) -> SpeakerScores:
    """The longer ago somebody spoke, the higher."""
    first = longest_silent(speakers)
    ranks = sorted(speakers, key=_silence)
    scores = {each.name: (len(ranks) - rank) / len(ranks) for rank, each in enumerate(ranks)}
    return SpeakerScores(scores, f"it is {first.name}'s turn")


def longest_silent(speakers: Sequence[GroupSpeaker]) -> GroupSpeaker:
    """Who spoke longest ago; of those who never did, the first in the group."""
    return min(speakers, key=_silence)


def _silence(speaker: GroupSpeaker) -> tuple[int, int, str]:
    return speaker.last_turn, speaker.place, speaker.name
