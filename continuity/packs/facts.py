"""Facts about each file as far as one request asks: counted terms, defined names, identifiers of the request that it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from continuity.repository.limits import Limits
from continuity.repository.symbols import Symbol, symbols
from continuity.repository.words import is_identifier, terms, terms_among, words_of

PROMPT = 400_000  # characters of a request that are looked at, its end: the latest words
Reader = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class PackRequest:
    """The words of a request and of what led to it."""

    text: str
    words: Counter[str]
    terms: Counter[str]
    identifiers: frozenset[str]

    @classmethod
    def of(cls, text: str) -> PackRequest:
        text = text[-PROMPT:]
        words = words_of(text)
        return cls(text, words, terms(words.items()), frozenset(filter(is_identifier, words)))


@dataclass(slots=True)
class Facts:
    """`length` counts all terms of the file, `counted` only those of the request; `holds` are words of the request that stand in it."""

    length: int = 0
    counted: Mapping[str, int] = field(default_factory=dict)
    holds: frozenset[str] = frozenset()
    symbols: tuple[Symbol, ...] = ()

    @property
    def defined(self) -> frozenset[str]:
        return frozenset(symbol.name for symbol in self.symbols)


def facts_of(path: str, text: str, request: PackRequest) -> Facts:
    """The facts of one file with its text."""
    words = words_of(text)
    counted, length = terms_among(words.items(), request.terms)
    return Facts(
        length,
        counted,
        frozenset(word for word in request.words if word in words),
        symbols(path, text),
    )


def read_facts(order: Iterable[str], sizes: Mapping[str, int], request: PackRequest, read: Reader, limits: Limits) -> dict[str, Facts]:
    """Read the facts of the files in this order, as many as the limits allow. What is no text has none."""
    found: dict[str, Facts] = {}
    left_files, left_bytes = limits.read_files, limits.read_bytes
    for path in order:
        size = min(sizes[path], limits.file_bytes)
        if left_files <= 0:
            break
        if size > left_bytes:
            continue
        left_files -= 1
        left_bytes -= size
        text = read(path)
        if text is not None:
            found[path] = facts_of(path, text, request)
    return found
