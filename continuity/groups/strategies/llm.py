"""Whom a model named when it was asked ahead, if that one may speak; else by expertise. Pure: asking is somebody else's."""

from __future__ import annotations

from collections.abc import Sequence

from continuity.groups.model import GroupSituation, GroupSpeaker, SpeakerScores
from continuity.groups.strategies import expertise


def score(situation: GroupSituation, speakers: Sequence[GroupSpeaker]) -> SpeakerScores:
    if situation.advice in {each.name for each in speakers}:
        scores = {each.name: 1.0 if each.name == situation.advice else 0.0 for each in speakers}
        return SpeakerScores(scores, f"a model named {situation.advice}")
    why = "the model had not answered in time" if situation.advice is None else "the model named nobody who may speak"
    scored = expertise.score(situation, speakers)
    return SpeakerScores(scored.scores, f"{why}; {scored.reason}", True, scored.doubt)
