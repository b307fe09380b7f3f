"""Names and values that mean nothing but themselves, and how often they return."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Letters with a digit, an underscore, a dot inside, or two capitals: no word of a language.
_TOKEN = re.compile(r"(?<![\w/.@-])[A-Za-z_][\w-]*(?:[./:@][\w-]+)*|(?<![\w.])\d[\w.:-]*\w", re.A)
_NAMELIKE = re.compile(r"[a-z][A-Z]|_|\d|[./:@]\w|[A-Z]{2}", re.A)
_ORDINARY = re.compile(
    r"^(?:\d{1,2}|[a-z]+\.|i\.e|e\.g|etc|vs|[A-Z][a-z]+/[A-Z][a-z]+|and/or|TODO|FAQ|API|HTTPS?|JSON|URL|OK|ID|CI|PR|UI)$", re.A
)
SHORTEST, LONGEST = 4, 60
PER_TEXT = 60


def identifiers_in(text: str) -> Iterator[str]:
    """The identifiers of a text, each once, at most PER_TEXT of them."""
    seen: set[str] = set()
    for match in _TOKEN.finditer(text):
        token = match.group().rstrip(".-:/")
        if SHORTEST <= len(token) <= LONGEST and token not in seen and _NAMELIKE.search(token) and not _ORDINARY.match(token):
            seen.add(token)
            yield token
            if len(seen) == PER_TEXT:
                return
