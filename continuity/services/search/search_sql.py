"""The statements of the search, over columns that the models don't have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from continuity.knowledge.anchor_types import LAID_DOWN
from continuity.search import tool_word

MESSAGES, ANCHORS = "continuity_message", "continuity_anchor"
# What was recorded together has one time.
_SEQ = {MESSAGES: "seq", ANCHORS: "found_seq"}

_SHOWN = {
    MESSAGES: "NOT row.abandoned",
    ANCHORS: "row.state <> 'dismissed'",
}
# When the words behind an anchor were said, in the session that said them.
SAID_AT = """(
    SELECT coalesce(said.at, said.created_at) FROM continuity_message AS said
    WHERE said.conversation_id = coalesce(row.origin_conversation_id, row.conversation_id) AND said.seq = row.source_seq
)"""
_AT = {MESSAGES: "coalesce(row.at, row.created_at)", ANCHORS: f"coalesce({SAID_AT}, row.created_at)"}

_DECIDED = ", ".join(sorted(f"'{type.value}'" for type in LAID_DOWN))
# What people and agents said weighs more than what tools were given and printed, and what was distilled from it more than that: who looks
# for a word first wants what was decided about it.
_RANK = "ts_rank(row.words, to_tsquery('simple', %s), 1)::float8 * "
_WEIGHT = {
    MESSAGES: """CASE WHEN row.role = 'user' THEN 1.2
        WHEN row.role <> 'assistant' OR row.parts @> '[{"kind": "tool_call"}]' THEN 0.3 ELSE 1.0 END""",
    ANCHORS: f"CASE WHEN row.state <> 'current' THEN 0.8 WHEN row.type IN ({_DECIDED}) THEN 3.0 ELSE 1.5 END",
}
# What was distilled from a message that was rewound is not there any more, also while that is still being worked out.
_THERE = {
    MESSAGES: "true",
    ANCHORS: """row.origin_conversation_id IS NOT NULL OR coalesce((
        SELECT its.refold_from > greatest(row.source_seq, row.found_seq)
        FROM continuity_conversation AS its WHERE its.id = row.conversation_id), true)""",
}
# With its rank in the statement that finds it: to look for five hundred rows again by their ids takes longer than to rank them.
_RANKED = "SELECT row.id, {rank}, {there}"

# The index names them in the order in which they were stored, the latest last.
_NAMED = """
WITH named AS MATERIALIZED (
    SELECT row.id, row.created_at, row.{seq} AS seq FROM {table} AS row
    WHERE row.team_id = %s AND row.words @@ to_tsquery('simple', %s) AND {conditions} LIMIT %s
), counted AS MATERIALIZED (SELECT count(*) AS number FROM named)
{ranked}, number, CASE WHEN number > %s THEN (SELECT extract(epoch FROM min(created_at))::float8 FROM named) END
FROM {table} AS row, counted WHERE row.id = ANY(ARRAY(SELECT id FROM named ORDER BY created_at DESC, seq DESC LIMIT %s))
ORDER BY row.created_at DESC, row.{seq} DESC
"""
# Of the latest of a team, whatever they hold, those that hold the words.
_NEWEST = """
{ranked} FROM (
    SELECT row.* FROM (
        SELECT * FROM {table} WHERE team_id = %s AND created_at <= %s ORDER BY created_at DESC, {seq} DESC LIMIT %s
    ) AS row
    WHERE row.words @@ to_tsquery('simple', %s) AND {conditions} ORDER BY row.created_at DESC, row.{seq} DESC LIMIT %s
) AS row ORDER BY row.created_at DESC, row.{seq} DESC
"""
# To skip rows the index alone is read.
_SHARE = """
SELECT count(*) FILTER (WHERE row.words @@ to_tsquery('simple', %s) AND {conditions}) FROM (
    SELECT * FROM {table} WHERE team_id = %s AND created_at <= (
        SELECT created_at FROM {table} WHERE team_id = %s AND created_at <= %s ORDER BY created_at DESC, {seq} DESC OFFSET %s LIMIT 1
    ) ORDER BY created_at DESC, {seq} DESC LIMIT %s
) AS row
"""
# Executes nothing: plans of two nodes with the numbers of rows that are expected.
_EXPECTED = """
EXPLAIN (FORMAT JSON) SELECT 1 FROM {table} WHERE team_id = %s UNION ALL
SELECT 1 FROM {table} AS row WHERE row.team_id = %s AND row.words @@ to_tsquery('simple', %s) AND {conditions}
"""
_LATEST = """
{ranked} FROM (
    SELECT row.* FROM {table} AS row
    WHERE row.team_id = %s AND row.words @@ to_tsquery('simple', %s) AND {conditions} ORDER BY {order} LIMIT %s
) AS row ORDER BY {order}
"""
_SPAN = "SELECT min(created_at), max(created_at) FROM {table} WHERE team_id = %s AND created_at <= %s"


@dataclass(frozen=True, slots=True)
class SearchTarget:
    """The words that are looked for; only rows that were there `as_of` a time, and recorded `after` another where one is given."""

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
        """The latest `limit` of what the index names first; how many it names, up to one more than `many`, and where it names more than
        `many`, the second of the oldest."""
        statement, ranking, conditions = self._filled(_NAMED, table)
        return statement, [self.team, self._tsquery, *conditions, many + 1, *ranking, many, limit]

    def among_newest(self, table: str, walked: int, limit: int) -> tuple[str, Sequence[Any]]:
        """The latest `limit` among the team's latest `walked` rows."""
        statement, ranking, conditions = self._filled(_NEWEST, table)
        return statement, [*ranking, self.team, self.as_of, walked, self._tsquery, *conditions, limit]

    def share(self, table: str, skipped: int, glanced: int) -> tuple[str, Sequence[Any]]:
        """How many there are in `glanced` of the team's rows before its latest `skipped`."""
        statement, _ranking, conditions = self._filled(_SHARE, table)
        return statement, [self._tsquery, *conditions, self.team, self.team, self.as_of, skipped, glanced]

    def expected(self, table: str) -> tuple[str, Sequence[Any]]:
        """A plan, whose `Plans` say how many rows the team should have and how many of them should be wanted."""
        statement, _ranking, conditions = self._filled(_EXPECTED, table)
        return statement, [self.team, self.team, self._tsquery, *conditions]

    def span(self, table: str) -> tuple[str, Sequence[Any]]:
        """The times at which the team's first and latest rows were recorded."""
        return _SPAN.format(table=table), [self.team, self.as_of]

    def latest(self, table: str, limit: int) -> tuple[str, Sequence[Any]]:
        """The latest `limit` of all. Of a conversation they are found from its end, right for words that stand nearly everywhere in it."""
        # That of an index.
        order = f"row.{_SEQ[table]} DESC" if self.conversation else f"row.created_at DESC, row.{_SEQ[table]} DESC"
        statement, ranking, conditions = self._filled(_LATEST, table, order=order)
        return statement, [*ranking, self.team, self._tsquery, *conditions, limit]

    def _filled(self, statement: str, table: str, **more: str) -> tuple[str, list[Any], list[Any]]:
        """The statement for this table; the values of its ranking, and those of its conditions."""
        conditions, values = self._conditions(table)
        ranked = _RANKED.format(rank=_RANK + _WEIGHT[table], there=_THERE[table])
        return statement.format(table=table, seq=_SEQ[table], conditions=conditions, ranked=ranked, **more), [self.tsquery], values

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
