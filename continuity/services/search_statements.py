"""The statements of the search, over columns that the models don't have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from continuity.search import tool_word

MESSAGES, ANCHORS = "continuity_message", "continuity_anchor"
# What was recorded together has one time.
_SEQ = {MESSAGES: "seq", ANCHORS: "found_seq"}
# Ways that the planner may go; which of them are closed is said for each statement.
_WAYS = ("bitmapscan", "indexscan", "nestloop", "seqscan", "sort")
# Of very many, it hopes to meet enough soon by reading the table, or the rows by time; it may as well read nearly all of them.
BY_WORDS = ("indexscan", "nestloop", "seqscan")
# It believes that rare words are rarer still, and would look them all up where the end of the list has enough.
FROM_THE_END = ("bitmapscan", "seqscan", "sort")
ANY_WAY = ()

_SHOWN = {
    MESSAGES: "NOT row.abandoned",
    ANCHORS: "row.state <> 'dismissed'",
}
_AT = {MESSAGES: "coalesce(row.at, row.created_at)", ANCHORS: "row.created_at"}

_NAMED = """
WITH named AS MATERIALIZED (
    SELECT row.id, row.created_at, row.{seq} AS seq FROM {table} AS row
    WHERE row.team_id = %s AND row.words @@ to_tsquery('simple', %s) AND {conditions} LIMIT %s
)
SELECT id, (SELECT count(*) FROM named), (SELECT extract(epoch FROM min(created_at))::float8 FROM named)
FROM named ORDER BY created_at DESC, seq DESC LIMIT %s
"""
# Of the latest of a team, whatever they hold, those that hold the words.
_NEWEST = """
SELECT row.id FROM (
    SELECT * FROM {table} WHERE team_id = %s AND created_at <= %s ORDER BY created_at DESC, {seq} DESC OFFSET %s LIMIT %s
) AS row
WHERE row.words @@ to_tsquery('simple', %s) AND {conditions} ORDER BY row.created_at DESC, row.{seq} DESC LIMIT %s
"""
# Executes nothing: plans of two nodes with the numbers of rows that are expected.
_EXPECTED = """
EXPLAIN (FORMAT JSON) SELECT 1 FROM {table} WHERE team_id = %s UNION ALL
SELECT 1 FROM {table} AS row WHERE row.team_id = %s AND row.words @@ to_tsquery('simple', %s) AND {conditions}
"""
_LATEST = """
SELECT row.id FROM {table} AS row
WHERE row.team_id = %s AND row.words @@ to_tsquery('simple', %s) AND {conditions} ORDER BY {order} LIMIT %s
"""
# What was distilled from a message that was rewound is not there any more, also while that is still being worked out.
# What people and agents said weighs more than what tools were given and printed, and what was distilled from it more than that.
RANKED = """
SELECT kind, id, rank FROM (
    SELECT 'message' AS kind, id, ts_rank(words, to_tsquery('simple', %s), 1)::float8
        * CASE WHEN role = 'user' THEN 1.2 WHEN role <> 'assistant' OR parts @> '[{"kind": "tool_call"}]' THEN 0.5 ELSE 1.0 END AS rank
    FROM continuity_message WHERE id = ANY(%s)
    UNION ALL
    SELECT 'anchor', id, ts_rank(words, to_tsquery('simple', %s), 1)::float8 * CASE state WHEN 'current' THEN 1.5 ELSE 0.8 END
    FROM continuity_anchor AS row WHERE id = ANY(%s) AND NOT EXISTS (
        SELECT 1 FROM continuity_conversation AS its WHERE its.id = row.conversation_id
        AND row.origin_conversation_id IS NULL AND its.refold_from <= greatest(row.source_seq, row.found_seq))
) AS found
WHERE %s::float8 IS NULL OR rank < %s OR (rank = %s AND id > %s)
ORDER BY rank DESC, id LIMIT %s
"""


def planning(closed: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Closes these ways, and opens the others, until the transaction ends."""
    settings = ", ".join(f"set_config('enable_{way}', %s, true)" for way in _WAYS)
    return f"SELECT {settings}", ["off" if way in closed else "on" for way in _WAYS]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for; only rows that were there `as_of` a time, and recorded `after` another where one is given."""

    team: UUID
    tsquery: str
    as_of: datetime
    conversation: UUID | None = None
    role: str = ""
    tool: str = ""
    source_tool: str = ""
    since: datetime | None = None
    until: datetime | None = None
    after: datetime | None = None

    def named_by_index(self, table: str, many: int, limit: int) -> tuple[str, Sequence[Any]]:
        """The latest `limit` of what the index names first; how many it names, up to one more than `many`, and the second of the oldest."""
        conditions, values = self._conditions(table)
        statement = _NAMED.format(table=table, seq=_SEQ[table], conditions=conditions)
        return statement, [self.team, self._tsquery, *values, many + 1, limit]

    def among_newest(self, table: str, walked: int, limit: int, *, skipped: int = 0) -> tuple[str, Sequence[Any]]:
        """The latest `limit` among the team's latest `walked` rows before the last `skipped`."""
        conditions, values = self._conditions(table)
        statement = _NEWEST.format(table=table, seq=_SEQ[table], conditions=conditions)
        return statement, [self.team, self.as_of, skipped, walked, self._tsquery, *values, limit]

    def expected(self, table: str) -> tuple[str, Sequence[Any]]:
        """A plan, whose `Plans` say how many rows the team should have and how many of them should be wanted."""
        conditions, values = self._conditions(table)
        return _EXPECTED.format(table=table, conditions=conditions), [self.team, self.team, self._tsquery, *values]

    def latest(self, table: str, limit: int) -> tuple[str, Sequence[Any]]:
        """The latest `limit` of a conversation, found from its end: right for words that stand nearly everywhere in it."""
        order = f"row.{_SEQ[table]} DESC"  # that of an index
        conditions, values = self._conditions(table)
        return _LATEST.format(table=table, order=order, conditions=conditions), [self.team, self._tsquery, *values, limit]

    @property
    def _tsquery(self) -> str:
        return f"{self.tsquery} & '{tool_word(self.tool)}'" if self.tool else self.tsquery

    def _conditions(self, table: str) -> tuple[str, list[Any]]:
        known: list[tuple[str, Any]] = [("row.created_at <= %s", self.as_of)]
        if self.conversation:
            known.append(("row.conversation_id = %s", self.conversation))
        if self.role:
            known.append(("row.role = %s", self.role))
        if self.source_tool:
            known.append(("row.conversation_id IN (SELECT id FROM continuity_conversation WHERE source_tool = %s)", self.source_tool))
        if self.after:
            known.append(("row.created_at > %s", self.after))
        if self.since:
            known.append((f"{_AT[table]} >= %s", self.since))
        if self.until:
            known.append((f"{_AT[table]} < %s", self.until))
        return " AND ".join([_SHOWN[table], *(text for text, _value in known)]), [value for _text, value in known]
