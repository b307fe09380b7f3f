"""Words of code and of prose in one form: identifiers also by their parts, stems, without those that say nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable
from functools import lru_cache
from itertools import pairwise

WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
ALL_WORDS = re.compile(r"[A-Za-z0-9_]+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
LONGEST = 120  # characters of a word that are looked at
SHORTEST_STEM = 4
_SOLID = "".join(map(chr, range(33, 127)))  # all of ASCII but the space
_NOTHING = """
    a an and are as at be but by can could do does did for from had has have he her him his how i if in into is it its just let lets me
    my no not of on or our please should so some than that the their them then there these they this those to up us was we were what
    when where which who why will with would you your about after again all also am any because been before being below between both
    cannot down during each few further here more most nor now off once only other out over own same she such too under until very while
    yes ok okay need want like make sure get use using used one two new see
    """
NOTHING = frozenset(_NOTHING.split())


def cut(text: str, longest: int) -> str:
    """At most so many characters, without the last word where it would be cut in two: half of a secret is not known as one."""
    if len(text) <= longest:
        return text
    return text[:longest].rstrip(_SOLID) if text[longest] in _SOLID else text[:longest]


def stem(word: str) -> str:
    """An English word without its ending, roughly."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            return word[: -len(ending)]
    return word[:-1] if word.endswith("e") and len(word) > SHORTEST_STEM else word


@lru_cache(maxsize=200_000)
def terms_of(word: str) -> tuple[str, ...]:
    """The terms of one identifier or word: its parts, and itself where it has several."""
    if word.lower() in NOTHING:
        return ()
    word = word[:LONGEST]
    parts = [stem(part.lower()) for part in _PART.findall(word) if len(part) > 1]
    kept = [part for part in parts if part not in NOTHING]
    return (*kept, word.lower().replace("_", "")) if len(kept) > 1 else tuple(kept)


def words_of(text: str) -> Counter[str]:
    """How often each word stands in a text, as it is written."""
    return Counter(WORD.findall(text))


def terms(words: Iterable[tuple[str, int]]) -> Counter[str]:
    """How often each term stands in a text whose words these are."""
    counted: dict[str, int] = {}
    for word, times in words:
        for term in terms_of(word):
            counted[term] = counted.get(term, 0) + times
    return Counter(counted)


def terms_among(words: Iterable[tuple[str, int]], wanted: Container[str]) -> tuple[dict[str, int], int]:
    """How often each wanted term stands in a text whose words these are, and how many terms it has in all."""
    counted: dict[str, int] = {}
    length = 0
    for word, times in words:
        those = terms_of(word)
        length += len(those) * times
        for term in those:
            if term in wanted:
                counted[term] = counted.get(term, 0) + times
    return counted, length


def is_identifier(word: str) -> bool:
    """Whether a word is written as names in code are and words of prose are not."""
    return len(word) > 3 and ("_" in word.strip("_") or any(a.islower() and b.isupper() for a, b in pairwise(word)))
