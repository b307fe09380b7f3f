"""Content words: what a statement is about, in a form that survives inflection and close synonyms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from continuity.knowledge.language.word_sets import word_set
from continuity.knowledge.state.fold_cache import cached

LIMIT = 10

_TOKEN = re.compile(r"[\w#@]++(?:(?:[./:'’+-]++|(?<=\d),(?=\d{3}\b))[\w#@]++)*+")
_STOP = word_set(
    """
    a an and any are as at be been being but by can could did do does doing done for from get gets had has have he her here him his
    how i if in into is it its just like may me might more most my need no nor not now of off ok okay on one or our out over own
    please really same say says shall she should so some such than that the their them then there these they thing things this those
    to too under until up us use used uses using very want was way we well were what when where which while who why will with
    without would yes you your also about after again all always am because before both each even ever every few first go going let
    lets let's make makes made many much must never only other rather right still sure take think though through yet i'd i'll i'm
    i've it's that's don't doesn't didn't won't can't isn't aren't wasn't we're we'll we've you're there's what's instead actually
    however already currently correction decision der die das den dem ein eine einen und oder aber nicht nie immer ist sind war wird
    werden mit von zu zum zur im auf für bitte wir ich du sie es auch nur noch doch le la les un une des du de et ou mais ne pas
    jamais toujours est sont avec pour dans sur que qui nous vous je tu il elle on c'est
    """
)
# What a word ends in, with the letters that it must have for that to be an ending, by the last letter.
_ENDINGS = {"g": (("ing", 6),), "d": (("ied", 5), ("ed", 5)), "s": (("ies", 5), ("es", 6), ("s", 4))}
_SAME = {
    "ship": "release",
    "deploy": "release",
    "launch": "release",
    "publish": "release",
    "rollout": "release",
    "roll": "release",
    "delete": "remove",
    "erase": "remove",
    "drop": "remove",
    "retain": "keep",
    "pick": "choose",
    "chose": "choose",
    "select": "choose",
    "adopt": "choose",
    "everybody": "everyone",
    "repo": "repository",
    "db": "database",
    "config": "configuration",
    "deps": "dependency",
    "prod": "production",
    "auth": "authentication",
    "docs": "documentation",
    "hide": "gate",
    "endpoint": "route",
}


@cached
def tokens(text: str) -> Sequence[str]:
    """Words, paths, identifiers and numbers in order, as written, without closing punctuation."""
    return _TOKEN.findall(text)


def is_stop(word: str) -> bool:
    """Whether a lower-case word is too common to say what a statement is about."""
    return word in _STOP


@cached
def stem(word: str) -> str:
    """A lower-case word without common endings, replaced by its canonical synonym."""
    word = word.lower()
    word = word.removesuffix("'s").removesuffix("’s")
    if word.isalpha() and word.isascii():
        for end, least in _ENDINGS.get(word[-1], ()):
            if len(word) >= least and word.endswith(end) and not word.endswith(("ss", "us", "is")):
                word = word[: -len(end)] + ("y" if end in ("ied", "ies") else "")
                break
        if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
            word = word[:-1]
        word = word[:-1] if len(word) > 4 and word.endswith("e") else word
    return _SAME_STEMS.get(word, word)[:18]


def content(text: str, limit: int = LIMIT) -> tuple[str, ...]:
    """Up to `limit` distinct content words in order; where there are more, identifiers go before common words."""
    found = _content(text[:2000])
    if len(found) <= limit:
        return tuple(found)
    kept = {word for word, token in sorted(found.items(), key=lambda pair: not is_identifier(pair[1]))[:limit]}
    return tuple(word for word in found if word in kept)


@cached
def _content(text: str) -> Mapping[str, str]:
    """The distinct content words in order, with the first token of each."""
    found: dict[str, str] = {}
    for token in tokens(text):
        low = token.lower()
        if low in _STOP or (len(low) == 1 and not low.isdigit()):
            continue
        found.setdefault(stem(low), token)
    return found


_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z][a-z]+[A-Z]")


def is_identifier(token: str) -> bool:
    """Whether a token names something exact: a path, a symbol, a ticket, a hash, a version."""
    if token.isalpha() and (token.islower() or token.istitle()):
        return False  # a plain word, as most are
    if "_" in token or "/" in token or "#" in token or _CAMEL.search(token):
        return any(c.isalpha() or c.isdigit() for c in token)
    if any(c.isdigit() for c in token):
        return any(c.isalpha() for c in token) or "." in token or len(token) >= 3
    return "." in token.strip(".") and len(token) > 4


def count_identifiers(text: str, most: int) -> int:
    """How many tokens of a text name something exact, counted up to `most`."""
    return len([*islice(filter(is_identifier, tokens(text)), most)])


_SAME_STEMS: dict[str, str] = {}
_SAME_STEMS.update({stem(word): stem(canonical) for word, canonical in _SAME.items()})
