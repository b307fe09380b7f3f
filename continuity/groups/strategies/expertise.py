"""Who knows most of what is asked: by role and expertise, and by what each has done here. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from continuity.groups import expertise, words
from continuity.groups.model import GroupSituation, GroupSpeaker, SpeakerScores

# Who spoke last is asked again only where nobody knows nearly as much.
JUST_SPOKE = 0.85
# What the present step of the workflow asks for counts beside what was said last.
OF_STEP = 3.0
# What a person asked counts beside what an agent said since.
ABOUT = 0.5
# The rules are unsure where the second comes so near to the first,
NEAR = 0.6
# or is less than this behind (one declared word weighs 3), or than this for each word of the question,
LEAD, LEAD_A_WORD = 3.0, 0.7
# or where a smaller part of the words speaks for the first, or fewer of them and not half of all. What the step asks for is always enough.
PART, WORDS, HALF = 1 / 3, 3, 0.5


def score(situation: GroupSituation, speakers: Sequence[GroupSpeaker]) -> SpeakerScores:
    """Scores by the rules; where they are unsure, by the model that was asked ahead, if it answered."""
    ruled = by_rules(situation, speakers)
    if not ruled.doubt:
        return ruled
    first, second = _best(ruled.scores)[:2]
    if situation.advice in ruled.scores:
        scores = {name: 1.0 if name == situation.advice else 0.0 for name in ruled.scores}
        return SpeakerScores(scores, f"a model named {situation.advice}; the rules were unsure: {first} or {second}")
    reason = ruled.reason if ruled.fallback else f"{ruled.reason}; unsure, {ruled.doubt}"
    return SpeakerScores(ruled.scores, reason, ruled.fallback, ruled.doubt)


def by_rules(situation: GroupSituation, speakers: Sequence[GroupSpeaker]) -> SpeakerScores:
    asked, of_step = _asked(situation)
    found = expertise.evidence(asked, speakers)
    last = situation.past[-1].speaker if situation.past else ""
    scores = {
        each.name: sum(by_name.get(each.name, 0.0) for by_name in found.values())
        * _weight(each)
        * (JUST_SPOKE if each.name == last else 1.0)
        for each in speakers
    }
    best = max(scores, key=lambda name: (scores[name], name))
    if scores[best] <= 0:
        silent = min(speakers, key=lambda each: (each.last_turn, each.place, each.name))
        by_silence = {each.name: 1.0 / (2 + each.last_turn) for each in speakers}
        why = "nobody's expertise is about it"
        return SpeakerScores(by_silence, f"{why}; {silent.name} spoke longest ago", True, why if len(speakers) > 1 else "")
    words_for = expertise.speaking_for(best, found)
    of_all = 1 if of_step.intersection(words_for) else len(asked)
    return SpeakerScores(scores, _reason(best, asked, speakers), doubt=_doubt(scores, len(words_for), of_all))


def _asked(situation: GroupSituation) -> tuple[Mapping[str, float], frozenset[str]]:
    """Words and how often each counts; and those that the present step asks for."""
    asked: dict[str, float] = defaultdict(float)
    for each in words.terms(situation.asked):
        asked[each] += 1
    for each in words.terms(situation.about):
        asked[each] += ABOUT
    step = situation.step
    of_step = words.terms(" ".join((step.title, *step.expertise))) if step else ()
    for each in of_step:
        asked[each] += OF_STEP
    return asked, frozenset(of_step)


def _doubt(scores: Mapping[str, float], words_for: int, of_all: int) -> str:
    """Why the rules are unsure, in words; empty where they are sure. So many words speak for the best, of all that were asked."""
    if len(scores) < 2:
        return ""
    first, second = _best(scores)[:2]
    if scores[second] >= NEAR * scores[first]:
        return f"{second} is nearly as near"
    enough = words_for >= max(PART * of_all, min(WORDS, HALF * of_all))
    if enough and scores[first] - scores[second] >= max(LEAD, LEAD_A_WORD * of_all):
        return ""
    return "only one word speaks for it" if words_for == 1 else "little speaks for it"


def _best(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda name: (-scores[name], name))


def _weight(speaker: GroupSpeaker) -> float:
    """Priority from -1000 to 1000 as 0.5 to 1.5, less where it failed lately."""
    return (1 + speaker.priority / 2000) / (1 + min(speaker.failures, 10) * 0.25)


def _reason(name: str, asked: Mapping[str, float], speakers: Sequence[GroupSpeaker]) -> str:
    speaker = next(each for each in speakers if each.name == name)
    known = [each for each in speaker.expertise if set(words.terms(each)) & set(asked)]
    near = {field for term in asked for field in words.fields_of(term)}
    known = known or [each for each in speaker.expertise if any(near & set(words.fields_of(term)) for term in words.terms(each))]
    if known:
        return f"{name} knows of {', '.join(known[:3])}"
    return f"{name} has worked on it here" if set(words.terms(speaker.done)) & set(asked) else f"it is near to what {name} does"
