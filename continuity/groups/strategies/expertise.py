"""Who knows most of what is asked: by role and expertise, and by what each has done here. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from continuity.groups import words
from continuity.groups.model import GroupSituation, GroupSpeaker, SpeakerScores

EXPERTISE, ROLE, DONE = 3.0, 1.5, 0.4
# A word of the same field as one of the speaker's, beside the very word.
RELATED = 3.0
# Who spoke last is asked again only where nobody knows nearly as much.
JUST_SPOKE = 0.85
# What the present step of the workflow asks for counts beside what was said last.
OF_STEP = 3.0
# What a person asked counts beside what an agent said since.
ABOUT = 0.5
# The rules are unsure where the second comes so near to the first.
NEAR = 0.7


def score(situation: GroupSituation, speakers: Sequence[GroupSpeaker]) -> SpeakerScores:
    """By the rules; where they are unsure, by the model that was asked ahead, if it answered."""
    ruled = by_rules(situation, speakers)
    if not is_unsure(ruled):
        return ruled
    first, second = _best(ruled)[:2]
    if situation.advice in ruled.scores:
        scores = {name: 1.0 if name == situation.advice else 0.0 for name in ruled.scores}
        return SpeakerScores(scores, f"a model named {situation.advice}; the rules were unsure: {first} or {second}")
    return ruled if ruled.fallback else SpeakerScores(ruled.scores, f"{ruled.reason}; unsure, {second} is nearly as near")


def is_unsure(scored: SpeakerScores) -> bool:
    """Nobody's expertise is about it, or two are nearly equal."""
    best = _best(scored)
    return len(best) > 1 and (scored.fallback or scored.scores[best[1]] >= NEAR * scored.scores[best[0]])


def _best(scored: SpeakerScores) -> list[str]:
    return sorted(scored.scores, key=lambda name: (-scored.scores[name], name))


def by_rules(situation: GroupSituation, speakers: Sequence[GroupSpeaker]) -> SpeakerScores:
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
    done = {each.name: dict.fromkeys(words.terms(each.done), DONE) for each in speakers}
    declared = {each.name: _declared(each.name, each.role, each.expertise) for each in speakers}
    profiles = {name: done[name] | declared[name] for name in done}
    fields = {name: _fields(declared[name], done[name]) for name in done}
    found = dict.fromkeys(profiles, 0.0)
    for term, times in sorted(asked.items()):
        count = min(times, 3.0)
        knowing = [name for name, profile in profiles.items() if term in profile]
        for name in knowing:
            found[name] += count * profiles[name][term] / len(knowing)
        for field in words.fields_of(term):
            total = sum(each.get(field, 0.0) for each in fields.values())
            for name in fields:
                if near := fields[name].get(field):
                    found[name] += count * RELATED * near / total * near**0.5
    return found


@lru_cache(maxsize=512)
def _declared(name: str, role: str, expertise: tuple[str, ...]) -> dict[str, float]:
    return dict.fromkeys(words.terms(f"{role} {name}"), ROLE) | dict.fromkeys(words.terms(" ".join(expertise)), EXPERTISE)


def _fields(declared: Mapping[str, float], done: Mapping[str, float]) -> dict[str, float]:
    """How near a speaker is to each field, what it said here far below what it declares; who names much is not nearer for that."""
    found = _shares(declared)
    for field, share in _shares(done).items():
        found[field] = found.get(field, 0.0) + share * DONE / EXPERTISE
    return found


def _shares(terms: Mapping[str, float]) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for term, weight in terms.items():
        of = words.fields_of(term)
        for field in of:
            found[field] += weight / len(of) ** 0.5
    length = sum(each * each for each in found.values()) ** 0.5
    return {field: each / length for field, each in found.items()}


def _reason(name: str, asked: Mapping[str, float], speakers: Sequence[GroupSpeaker]) -> str:
    speaker = next(each for each in speakers if each.name == name)
    known = [each for each in speaker.expertise if set(words.terms(each)) & set(asked)]
    near = {field for term in asked for field in words.fields_of(term)}
    known = known or [each for each in speaker.expertise if any(near & set(words.fields_of(term)) for term in words.terms(each))]
    if known:
        return f"{name} knows of {', '.join(known[:3])}"
    return f"{name} has worked on it here" if set(words.terms(speaker.done)) & set(asked) else f"it is near to what {name} does"
