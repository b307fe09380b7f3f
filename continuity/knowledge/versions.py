"""The version of the rules that folded a state. Versions are ordered, since two releases may run beside one another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Raised whenever a fold gives something else than before; `python -m tests.knowledge.digests` then records what it gives. Raised also
# where a fold raised an exception and does no more: what was skipped is read again then.
RULES_VERSION = 35


class OtherRules(ValueError):
    """The stored state was made by rules of another version, `found`."""

    def __init__(self, found: int) -> None:
        super().__init__(f"rules version {found}, not {RULES_VERSION}")
        self.found = found


class OutdatedState(OtherRules):
    """The stored state was made by older rules; fold the conversation again from its beginning or a checkpoint."""


class NewerState(OtherRules):
    """The stored state was made by newer rules, those of a release that runs beside this one or ran before it; leave it alone."""


def version_of(raw: Mapping[str, Any]) -> int:
    """The version of the rules that made a record; 0, older than all, where it names none. Older records hold it as a text."""
    found = raw.get("rules_version")
    if isinstance(found, str) and found.isascii() and found.isdecimal():
        return int(found)
    return found if isinstance(found, int) else 0


def check(raw: Mapping[str, Any]) -> None:
    """Raises OutdatedState or NewerState where other rules made the record."""
    found = version_of(raw)
    if found != RULES_VERSION:
        raise (OutdatedState if found < RULES_VERSION else NewerState)(found)
