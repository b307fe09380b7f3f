"""The names of the parts of shared state."""

from __future__ import annotations

import re
from enum import StrEnum

KEY = r"^[A-Za-z0-9][A-Za-z0-9_.:-]{0,119}$"
_KEY = re.compile(KEY)


class StateScope(StrEnum):
    """Whose a state is, and with whom it ends."""

    AGENT = "agent"
    GROUP = "group"
    CONVERSATION = "conversation"
    TEAM = "team"


class StateStrategy(StrEnum):
    """How a write is resolved whose writer had not seen the latest version."""

    LAST_WRITE_WINS = "last_write_wins"
    REJECT = "reject"
    MERGE = "merge"
    MANUAL = "manual"


class ConflictKind(StrEnum):
    """What a version did to those that its writer had not seen: `none` where there were none."""

    NONE = "none"
    MERGED = "merged"
    OVERWRITTEN = "overwritten"
    UNRESOLVED = "unresolved"


class MergeRule(StrEnum):
    """How a place is merged that two changed: numbers by adding both differences, lists by both additions and both removals."""

    COUNTER = "counter"
    SET = "set"


def is_key(text: str) -> bool:
    """Letters, digits, `_`, `.`, `:` and `-`, 120 at most, the first a letter or a digit: nothing that could be a path."""
    return bool(_KEY.match(text)) and not text.endswith("\n")
