"""The look of a value: a placeholder, words, or something that a machine made."""

from __future__ import annotations

import math
import re
from collections import Counter

_PLACEHOLDER = re.compile(
    r"x{4,}|\*{3,}|\.{3}|…|example|placeholder|your[-_ ]|change-?me|redacted|\A(?:\$|%|\{|<|\[secret\b)"
    r"|\A(?:null|none|true|false|undefined|secret|password|passwd|pass|string|value|token)\Z",
    re.IGNORECASE,
)
_BETWEEN_WORDS = re.compile(r"[-_.]")
_WORD = re.compile(r"[A-Za-z]?[a-z]{0,19}|[A-Z]{1,12}|\d{1,4}|[a-z]{1,12}\d{1,2}", re.ASCII)


def entropy(value: str) -> float:
    """Shannon entropy of the characters of `value`, in bits each."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values()) if value else 0.0


def is_placeholder(value: str) -> bool:
    """Whether `value` stands for a secret and is none: `your-token`, `xxxx`, `$TOKEN`, `<password>`."""
    return bool(_PLACEHOLDER.search(value))


def is_words(value: str) -> bool:
    """Whether `value` is words and short numbers joined by dashes, underscores or points."""
    return all(_WORD.fullmatch(word) for word in _BETWEEN_WORDS.split(value))
