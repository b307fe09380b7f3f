"""Words of questions, roles and expertise, brought to one form; and which field a word belongs to. Pure, linear in the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

LONGEST_TEXT = 20_000
MOST_TERMS = 2000
# The longest first, so that each word loses one ending.
_ENDINGS = ("ations", "ation", "ments", "ment", "ings", "ing", "ers", "ed", "er", "es", "ly", "s", "e")
_LEAST = 3
_KEPT = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


def terms(text: str) -> tuple[str, ...]:
    """The words that say something, in one form each, at most 2,000."""
    found: list[str] = []
    common = _common()
    for word in _split(text[:LONGEST_TEXT]):
        if len(word) < 2 or word in common:
            continue
        found.append(form_of(word))
        if len(found) == MOST_TERMS:
            break
    return tuple(found)


@lru_cache(maxsize=8192)
def form_of(word: str) -> str:
    """A word without its ending: `invoices`, `invoice` and `invoicing` are one."""
    if word.endswith(("ies", "ied")) and len(word) > _LEAST + 1:
        return f"{word[:-3]}y"
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > _LEAST and word[-1] == word[-2] else word


def addressed(text: str, names: Sequence[str]) -> str:
    """Whom a text asks by `@name`: the first of the names that stands so; empty where none does."""
    low = text[:LONGEST_TEXT].lower()
    found = [(place, -len(name), name) for name in names if (place := _place(low, name.lower())) >= 0]
    return min(found)[2] if found else ""


def _place(text: str, name: str) -> int:
    """Where `@name` stands, and not as the beginning of a longer one."""
    start = text.find(f"@{name}")
    while start >= 0:
        end = start + len(name) + 1
        if text[end : end + 1] not in _KEPT and not (text[end : end + 1] in ("-", "_") and text[end + 1 : end + 2] in _KEPT):
            return start
        start = text.find(f"@{name}", end)
    return -1


def fields_of(term: str) -> tuple[str, ...]:
    """The fields that a word, in its one form, belongs to."""
    return _fields().get(term, ())


@lru_cache(maxsize=1)
def _fields() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in Path(__file__).with_name("fields.txt").read_text(encoding="utf-8").splitlines():
        field, _, rest = line.partition(":")
        if rest:
            for word in dict.fromkeys(form_of(each) for each in rest.split()):
                found[word] = (*found.get(word, ()), field)
    return found


@lru_cache(maxsize=1)
def _common() -> frozenset[str]:
    return frozenset(Path(__file__).with_name("common.txt").read_text(encoding="utf-8").split())


def _split(text: str) -> list[str]:
    return "".join(each if each in _KEPT else " " for each in text.lower()).split()


def has_news(text: str, before: Sequence[str], *, least: float = 0.2) -> bool:
    """Whether at least a fifth of what a text says had not been said in those `before`."""
    said = set(terms(text))
    if not said:
        return False
    known = {term for each in before for term in terms(each)}
    return len(said - known) >= max(1.0, least * len(said))
