"""How much each word of what is asked speaks for each speaker: the very word, or one of the same field of work. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from continuity.groups import words
from continuity.groups.model import GroupSpeaker

EXPERTISE, ROLE, DONE = 3.0, 1.5, 0.4
# A word of the same field as one of the speaker's, beside the very word.
RELATED = 3.0


def evidence(asked: Mapping[str, float], speakers: Sequence[GroupSpeaker]) -> dict[str, dict[str, float]]:
    """Return, for each word that speaks for somebody, how much for whom; `asked` holds words in their one form, and how often each
    counts."""
    done = {each.name: dict.fromkeys(words.terms(each.done), DONE) for each in speakers}
    declared = {each.name: _declared(each.name, each.role, each.expertise) for each in speakers}
    profiles = {name: done[name] | declared[name] for name in done}
    fields = {name: _fields(declared[name], done[name]) for name in done}
    found: dict[str, dict[str, float]] = {}
    for term, times in sorted(asked.items()):
        count = min(times, 3.0)
        by_name: dict[str, float] = defaultdict(float)
        knowing = [name for name, profile in profiles.items() if term in profile]
        for name in knowing:
            by_name[name] += count * profiles[name][term] / len(knowing)
        for field in words.fields_of(term):
            total = sum(each.get(field, 0.0) for each in fields.values())
            for name in fields:
                if near := fields[name].get(field):
                    by_name[name] += count * RELATED * near / total * near**0.5
        if by_name:
            found[term] = dict(by_name)
    return found


def speaking_for(name: str, found: Mapping[str, Mapping[str, float]]) -> list[str]:
    """The words that speak for this one as much as for anybody, in the order of `found`."""
    return [term for term, by_name in found.items() if by_name.get(name, 0.0) >= max(by_name.values())]


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
