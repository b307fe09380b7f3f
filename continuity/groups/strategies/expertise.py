"""Who knows most of what is asked: by role and expertise, and by what each has done here. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from continuity.groups import words
from continuity.groups.model import GroupSituation, GroupSpeaker, SpeakerScores

EXPERTISE, ROLE, DONE = 3.0, 1.5, 0.4
# A word that means the same field as one of the speaker's, beside the very word.
RELATED = 0.5
# Who spoke last is asked again only where nobody knows nearly as much.
JUST_SPOKE = 0.85
# What the present step of the workflow asks for counts beside what was said last.
OF_STEP = 2.0
# What a person asked counts beside what an agent said since.
ABOUT = 0.5
# Of several fields of one expertise each further one counts less.
LESS = 0.6


def score(situation: GroupSituation, speakers: Sequence[GroupSpeaker]) -> SpeakerScores:
    asked: dict[str, float] = defaultdict(float)
    for each in words.terms(situation.asked):
        asked[each] += 1
    for each in words.terms(situation.about):
        asked[each] += ABOUT
    for each in words.terms(" ".join((situation.step.title, *situation.step.expertise))) if situation.step else ():
        asked[each] += OF_STEP
    relevance = _relevance(asked, speakers)
    last = situation.past[-1].speaker if situation.past else ""
    scores = {each.name: relevance[each.name] * _weight(each) * (JUST_SPOKE if each.name == last else 1.0) for each in speakers}
    best = max(scores, key=lambda name: (scores[name], name))
    if scores[best] <= 0:
        silent = min(speakers, key=lambda each: (each.last_turn, each.place, each.name))
        of_all = {each.name: 1.0 / (2 + each.last_turn) for each in speakers}
        return SpeakerScores(of_all, f"nobody's expertise is about it; {silent.name} spoke longest ago", True)
    return SpeakerScores(scores, _reason(best, asked, speakers))


def _weight(speaker: GroupSpeaker) -> float:
    """Priority from -1000 to 1000 as 0.5 to 1.5, less where it failed lately."""
    return (1 + speaker.priority / 2000) / (1 + min(speaker.failures, 10) * 0.25)


def _relevance(asked: Mapping[str, float], speakers: Sequence[GroupSpeaker]) -> dict[str, float]:
    profiles = {each.name: _profile(each) for each in speakers}
    fields = {name: _fields(profile) for name, profile in profiles.items()}
    found = dict.fromkeys(profiles, 0.0)
    for term, times in sorted(asked.items()):
        count = min(times, 3.0)
        knowing = [name for name, profile in profiles.items() if term in profile]
        for name in knowing:
            found[name] += count * profiles[name][term] / len(knowing)
        for field in words.fields_of(term):
            near = [name for name in profiles if field in fields[name]]
            total = sum(fields[name][field] for name in near)
            for name in near:
                share = fields[name][field] / total
                found[name] += count * RELATED * EXPERTISE * share * min(1.0, fields[name][field] / EXPERTISE)
    return found


def _profile(speaker: GroupSpeaker) -> dict[str, float]:
    profile: dict[str, float] = {}
    for text, weight in ((speaker.done, DONE), (f"{speaker.role} {speaker.name}", ROLE), (" ".join(speaker.expertise), EXPERTISE)):
        profile |= dict.fromkeys(words.terms(text), weight)
    return profile


def _fields(profile: Mapping[str, float]) -> dict[str, float]:
    found: dict[str, float] = {}
    for term, weight in sorted(profile.items(), key=lambda each: (-each[1], each[0])):
        for field in words.fields_of(term):
            found[field] = found[field] + weight * LESS if field in found else weight
    return found


def _reason(name: str, asked: Mapping[str, float], speakers: Sequence[GroupSpeaker]) -> str:
    speaker = next(each for each in speakers if each.name == name)
    known = [each for each in speaker.expertise if set(words.terms(each)) & set(asked)]
    near = {field for term in asked for field in words.fields_of(term)}
    known = known or [each for each in speaker.expertise if any(near & set(words.fields_of(term)) for term in words.terms(each))]
    if known:
        return f"{name} knows of {', '.join(known[:3])}"
    return f"{name} has worked on it here" if set(words.terms(speaker.done)) & set(asked) else f"it is near to what {name} does"
