"""Full-text search over what a team recorded: its messages, and the anchors that were distilled from them.

Of messages and of anchors the latest 500 that hold the words are ranked: of rarer words, all. A handful of statements, each bounded.
Words that stand in every sixteenth message are met a thousand times soon by going back through the latest ones; what is rarer the index
names: of what is likely to stand in some thousands, first the latest part of the time, which should have enough of them; else all of it, up
to 30,000 rows. Of words that stand oftener, but seldom among the latest 20,000 rows, the latest parts of the time are looked at alone; only
there something older may be ranked instead of something later.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from heapq import nsmallest
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from continuity import search
from continuity.core.errors import Invalid
from continuity.models import Anchor, Message, Team
from continuity.search import Excerpt, Query
from continuity.secrets import mask_text, message_masking
from continuity.services.search.planner_ways import ANY_WAY, BY_WORDS, FROM_THE_END, planning
from continuity.services.search.search_sql import ANCHORS, MESSAGES, SAID_AT, SearchTarget

CANDIDATES = 500
# A thousand of a team's latest rows, before those of the last session or two, tell how often the words stand lately; the statistics of the
# database tell how often in all. Where by either enough are met among WALKED, the latest of all, these are read until then. To read a row
# takes several times as long as to have the index name one.
SKIPPED, GLANCED, WALKED = 4000, 1000, 20_000
# A little more than enough.
MARGIN = 1.2
# Of words that more rows than so many times CANDIDATES should hold, a part of the time is looked at first that should have so many times
# CANDIDATES of them: what else the index names need not be ordered, and, where the planner expects as much, not be read.
OFTEN, ENOUGH = 4, 2
# More than this the index does not name one by one.
MANY = 30_000
# Of what stands oftener, and yet not so often among WALKED, the latest are looked for in such parts of the time since the oldest.
PARTS = (20, 4)
LONGEST = 300
_SAID = f"SELECT row.id, {SAID_AT} FROM continuity_anchor AS row WHERE row.id = ANY(%s)"  # noqa: S608  our own statement
# As a page tells them apart.
_PLACE = "coalesce(origin_conversation_id, conversation_id), source_seq, type, text"
_DIFFERENT = f"SELECT count(*) FROM (SELECT DISTINCT {_PLACE} FROM continuity_anchor WHERE id = ANY(%s)) AS different"  # noqa: S608  our own
_KINDS = {MESSAGES: "message", ANCHORS: "anchor"}
_TITLES = "SELECT id, title FROM continuity_conversation WHERE id = ANY(%s)"


@dataclass(frozen=True, slots=True)
class Filters:
    """Where to look: `kind` message or anchor, `tool` a tool that a message calls, `since` and `until` when it was said."""

    conversation: UUID | None = None
    kind: str = ""
    role: str = ""
    tool: str = ""
    source_tool: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A message, or an anchor with its `anchor_type`, `state`, and `truth` (who said it). `seq` is its message in `conversation_id`."""

    kind: str
    id: UUID
    conversation_id: UUID
    title: str
    seq: int
    role: str
    at: datetime | None
    rank: float
    excerpt: Excerpt
    anchor_key: str = ""
    anchor_type: str = ""
    state: str = ""
    truth: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A page. `counts` are the messages and anchors that are ranked, by kind, on whatever page: all that hold the words, or of the kinds
    that `more` names the latest CANDIDATES."""

    hits: Sequence[Hit]
    next_cursor: str | None
    query: Query = field(default=Query(()))
    counts: Mapping[str, int] = field(default_factory=dict)
    more: Collection[str] = ()

    @property
    def only_latest(self) -> bool:
        """Whether of messages or of anchors more hold the words than the latest CANDIDATES, which alone are ranked."""
        return bool(self.more)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a page begins: after this rank and id, in what was there `as_of` the first page."""

    as_of: datetime
    rank: float | None = None
    id: UUID | None = None

    def is_before(self, one: _Ranked) -> bool:
        return self.rank is None or self.id is None or _order(one) > (-self.rank, self.id.int)


class _Ranked(NamedTuple):
    table: str
    id: UUID
    rank: float


# An id, its rank, and whether it is there at all; of some statements, what they say of all of their rows.
_Row = tuple[Any, ...]


class _Often(NamedTuple):
    """An estimate of how often the words stand: in what share of the team's rows, and in how many."""

    share: float
    rows: float


def _order(one: _Ranked) -> tuple[float, int]:
    """The best first; of the same rank, which may be hundreds, by the number that an id is, which is soon compared."""
    return -one.rank, one.id.int


def find(*, team: Team, words: str, filters: Filters = Filters(), cursor: str = "", limit: int = 20, else_any: bool = False) -> Found:
    """One page of what holds all the words, best first; with `else_any`, where nothing does, of what holds any of them, as the query of
    what was found says. Raises Invalid where there are no words, or the cursor is none of ours.

    Secrets are neither found nor shown; rewound, dismissed and erased text is not found. At most twenty queries, for any of them forty.
    """
    query = search.parse(words[:LONGEST])
    if not query.terms:
        raise Invalid("Say at least one word to look for.", field="q")
    place = _read(cursor) if cursor else _Place(timezone.now())
    wanted = SearchTarget(team.id, query.tsquery, place.as_of, filters.conversation, filters.role, filters.tool, filters.source_tool)
    wanted = replace(wanted, since=filters.since, until=filters.until)
    tables = [MESSAGES] if filters.kind in ("", "message") else []
    # An anchor is in nobody's role, and calls no tool.
    tables += [ANCHORS] if filters.kind in ("", "anchor") and not filters.role and not filters.tool else []
    with transaction.atomic(), connection.cursor() as database:
        found = _candidates(database, wanted, tables)
        if else_any and not any(found.values()):
            query = query.loosened
            found = _candidates(database, replace(wanted, tsquery=query.tsquery), tables)
    ranked = [_Ranked(table, *row[:2]) for table, rows in found.items() for row in rows[:CANDIDATES] if row[2]]
    best = nsmallest(limit + 1, filter(place.is_before, ranked), key=_order)
    page = best[:limit]
    last = _write(_Place(place.as_of, page[-1].rank, page[-1].id)) if len(best) > limit else None
    more = {_KINDS[table] for table, rows in found.items() if len(rows) > CANDIDATES}
    return Found(_shown(team, query, page), last, query, _counts(ranked), more)


def _candidates(database: Any, wanted: SearchTarget, tables: Sequence[str]) -> dict[str, list[_Row]]:
    """The latest of each table that hold the words: all, or one more than are ranked."""
    often = {table: _often(database, wanted, table) for table in tables if wanted.conversation is None}
    newest = {table: _newest(database, wanted, table, often[table]) for table in often}
    found = {table: rows for table, rows in newest.items() if len(rows) > CANDIDATES}
    parts = {table: _part(database, wanted, table, often[table]) for table in often if table not in found}
    database.execute(*planning(BY_WORDS))
    for table in tables:
        if after := parts.get(table):
            found[table] = _rows(database, replace(wanted, after=after).latest(table, CANDIDATES + 1))
        if len(found.get(table, [])) <= CANDIDATES:
            found[table] = _named(database, wanted, table)
    database.execute(*planning(ANY_WAY))
    return found


def _often(database: Any, wanted: SearchTarget, table: str) -> _Often:
    """How often the words stand in the team's rows: the more of what the planner expects, which is far from true where it has no statistics
    yet, and of what stands so lately."""
    database.execute(*wanted.expected(table))
    every, wanted_ones = (plan["Plan Rows"] for plan in database.fetchone()[0][0]["Plan"]["Plans"])
    share = float(wanted_ones / every)
    if share * WALKED < CANDIDATES * MARGIN:
        database.execute(*wanted.share(table, SKIPPED, GLANCED))
        share = max(share, database.fetchone()[0] / GLANCED)
    return _Often(share, share * every)


def _newest(database: Any, wanted: SearchTarget, table: str, often: _Often) -> list[_Row]:
    """The hits among the team's latest rows, where enough of them are likely to be met there; else none."""
    enough = often.share * WALKED >= CANDIDATES * MARGIN
    return _rows(database, wanted.among_newest(table, WALKED, CANDIDATES + 1)) if enough else []


def _part(database: Any, wanted: SearchTarget, table: str, often: _Often) -> datetime | None:
    """Since when enough of many should have been recorded; none where it is as well to look at all of them."""
    if often.rows <= OFTEN * CANDIDATES:
        return None
    database.execute(*wanted.span(table))
    first, last = database.fetchone()
    part: datetime | None = last - (last - first) * (ENOUGH * CANDIDATES / often.rows) if first else None
    return part


def _named(database: Any, wanted: SearchTarget, table: str) -> list[_Row]:
    """The latest of all that the index names; where that is very much, of the latest rows, and of the latest parts of the time."""
    database.execute(*wanted.named_by_index(table, MANY, CANDIDATES + 1))
    rows = database.fetchall()
    if not rows or rows[0][3] <= MANY:
        return list(rows)
    database.execute(*planning(FROM_THE_END if wanted.conversation else ANY_WAY))
    walk = wanted.latest(table, CANDIDATES + 1) if wanted.conversation else wanted.among_newest(table, WALKED, CANDIDATES + 1)
    latest = _rows(database, walk)
    database.execute(*planning(BY_WORDS))
    if wanted.conversation or len(latest) > CANDIDATES:
        return latest
    oldest = datetime.fromtimestamp(rows[0][4], UTC)
    found = {row[0]: row for row in [*latest, *_in_parts(database, wanted, table, oldest), *rows]}
    return list(found.values())[: CANDIDATES + 1]


def _in_parts(database: Any, wanted: SearchTarget, table: str, oldest: datetime) -> list[_Row]:
    """The latest of very many, of the shortest part of the time that has enough of them.

    The index names rows in the order in which they were stored, the latest last; to go back through all rows by time instead would read
    each one's words, seconds where a word stands in one message of a hundred.
    """
    latest: list[_Row] = []
    for part in PARTS:
        after = wanted.as_of - (wanted.as_of - oldest) / part
        latest = _rows(database, replace(wanted, after=after).named_by_index(table, MANY, CANDIDATES + 1))
        if len(latest) > CANDIDATES:
            break
    return latest


def _rows(database: Any, statement: tuple[str, Sequence[Any]]) -> list[_Row]:
    database.execute(*statement)
    return list(database.fetchall())


def _counts(ranked: Sequence[_Ranked]) -> dict[str, int]:
    """How many there are of each kind; what several sessions of a chain know is one. One query where there are anchors."""
    of = {table: [one.id for one in ranked if one.table == table] for table in (MESSAGES, ANCHORS)}
    anchors = 0
    if of[ANCHORS]:
        with connection.cursor() as database:
            database.execute(_DIFFERENT, [of[ANCHORS]])
            anchors = database.fetchone()[0]
    counts = {_KINDS[MESSAGES]: len(of[MESSAGES]), _KINDS[ANCHORS]: anchors}
    return {kind: number for kind, number in counts.items() if number}


def _shown(team: Team, query: Query, page: Sequence[_Ranked]) -> list[Hit]:
    messages = Message.objects.filter(team=team).in_bulk([one.id for one in page if one.table == MESSAGES])
    anchors = Anchor.objects.filter(team=team).in_bulk([one.id for one in page if one.table == ANCHORS])
    titles = _titles({row.conversation_id for row in messages.values()} | {row.conversation_id for row in anchors.values()})
    said = _said_at([*anchors])
    hits: dict[tuple[Any, ...], Hit] = {}
    for table, id_, rank in page:
        if table == MESSAGES and id_ in messages:
            hits[table, id_] = _message(messages[id_], titles, rank, query)
        elif id_ in anchors:
            # Each session of a chain has a copy of what the chain knows, and all lead to one place.
            anchor, hit = anchors[id_], _anchor(anchors[id_], titles, said.get(id_), rank, query)
            hits.setdefault((table, hit.conversation_id, hit.seq, anchor.type, anchor.text), hit)
    return list(hits.values())


def _titles(conversations: Collection[UUID]) -> dict[UUID, str]:
    with connection.cursor() as database:
        database.execute(_TITLES, [list(conversations)])
        return dict(database.fetchall())


def _said_at(anchors: Sequence[UUID]) -> dict[UUID, datetime | None]:
    """The time at which the words behind each anchor were said. One query where there are any."""
    if not anchors:
        return {}
    with connection.cursor() as database:
        database.execute(_SAID, [list(anchors)])
        return dict(database.fetchall())


def _message(row: Message, titles: dict[UUID, str], rank: float, query: Query) -> Hit:
    text = search.words_of_parts(message_masking.masked(row.parts, row.secrets))
    title = mask_text(titles.get(row.conversation_id, ""))
    place = (row.conversation_id, title, row.seq, row.role, row.at or row.created_at)
    return Hit("message", row.id, *place, rank, search.excerpt(text, query))


def _anchor(row: Anchor, titles: dict[UUID, str], said: datetime | None, rank: float, query: Query) -> Hit:
    more = [words for words in (row.rationale, row.rejected) if words and words not in row.text]
    text = mask_text("\n".join([row.text, *more]))
    title = mask_text(titles.get(row.conversation_id, ""))
    place = (row.origin_conversation_id or row.conversation_id, title, row.source_seq, "", said or row.created_at)
    return Hit("anchor", row.id, *place, rank, search.excerpt(text, query), row.key, row.type, row.state, row.truth)


def _write(place: _Place) -> str:
    plain = json.dumps([place.as_of.isoformat(), place.rank, str(place.id)])
    return base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")


def _read(cursor: str) -> _Place:
    try:
        as_of, rank, id_ = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        moment = datetime.fromisoformat(as_of)
        if moment.tzinfo is None:
            raise ValueError("a time without a zone")
        return _Place(moment, float(rank), UUID(id_))
    except (binascii.Error, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise Invalid("cursor must be a next_cursor of this search.", field="cursor") from error
