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
    return frozenset(int(number) for match in _NAMED.finditer(text) for number in _NUMBER.findall(match["numbers"]))
