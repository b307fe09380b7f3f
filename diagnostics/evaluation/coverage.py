"""Coverage of an item: all its tokens together, and none as a part of a longer number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache


@lru_cache(maxsize=4096)
def _whole(token: str) -> re.Pattern[str]:
    return re.compile(re.escape(token) + r"(?![.\-]?\d)")


def is_stated(token: str, text: str) -> bool:
    """Whether the token stands in the text, both in lower case: also within a longer word, not within a longer number or id."""
    return token in text and _whole(token).search(text) is not None


def covers(text: str, tokens: Sequence[str]) -> bool:
    """Whether all tokens stand in one text; none at all cover nothing."""
    return bool(tokens) and all(is_stated(token, text) for token in tokens)


def covered(tokens: Sequence[str], windows: Iterable[str]) -> bool:
    """Whether one of the windows covers the tokens."""
    return any(covers(window, tokens) for window in windows)
