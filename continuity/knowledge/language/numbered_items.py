"""Which items of a numbered list words speak of: "Fix 3: …", "Issue #2", "Punkt 4"."""

from __future__ import annotations

import re

_NAMED = re.compile(
    r"\b(?:fix|issue|finding|item|problem|comment|point|bug|thread|suggestion|punkt|fehler|befund|hinweis|kommentar|vorschlag)"
    r"(?:(?:es|s|e|en)? )?#?(?P<numbers>\d{1,2}(?:(?:, | and | und | & |, and | \+ )#?\d{1,2}){0,8})(?![\w.%])",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,2}")


def items_named(text: str) -> frozenset[int]:
    """The numbers of the items that words name."""
    return frozenset(number for numbers, _ in items_told(text) for number in numbers)


def items_told(text: str) -> list[tuple[frozenset[int], str]]:
    """The numbers that words name, each time with what they say behind them in the same line."""
    found = list(_NAMED.finditer(text))
    ends = [*(match.start() for match in found[1:]), len(text)][: len(found)]
    numbers = (frozenset(map(int, _NUMBER.findall(match["numbers"]))) for match in found)
    return [(each, text[match.end() : end].split("\n", 1)[0]) for each, match, end in zip(numbers, found, ends, strict=True)]
