"""Which ways the planner may go with a statement of the search."""

from __future__ import annotations

from collections.abc import Sequence

# Ways that the planner may go; which of them are closed is said for each statement.
_WAYS = ("bitmapscan", "indexscan", "nestloop", "seqscan", "sort")
# Of very many, it hopes to meet enough soon by reading the table, or the rows by time; it may as well read nearly all of them.
BY_WORDS = ("indexscan", "nestloop", "seqscan")
# It believes that rare words are rarer still, and would look them all up where the end of the list has enough.
FROM_THE_END = ("bitmapscan", "seqscan", "sort")
ANY_WAY = ()


def planning(closed: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Closes these ways, and opens the others, until the transaction ends."""
    settings = ", ".join(f"set_config('enable_{way}', %s, true)" for way in _WAYS)
    return f"SELECT {settings}", ["off" if way in closed else "on" for way in _WAYS]
