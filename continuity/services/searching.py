"""Full-text search over what a team recorded: its messages, and the anchors that were distilled from them.

Of messages and of anchors the latest 500 that hold the words are ranked: of rarer words, all. A handful of statements, each bounded.
Words that stand in every sixteenth message are met a thousand times soon by going back through the latest ones; what is rarer the index
names, all of it, up to 30,000 rows. Of words that stand oftener, but seldom among the latest 20,000 rows, the latest parts of the time are
looked at alone; only there something older may be ranked instead of something later.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from continuity import masking, search
from continuity.errors import Invalid
from continuity.models import Anchor, Conversation, Message, Team
from continuity.search import Excerpt, Query
from continuity.secrets import mask_text
from continuity.services.search_statements import ANCHORS, ANY_WAY, BY_WORDS, FROM_THE_END, MESSAGES, RANKED, Wanted, planning

CANDIDATES = 500
# A thousand of a team's latest rows, before those of the last session or two, tell how often the words stand lately; the statistics of the
# database tell how often in all. Where by either enough are met among WALKED, the latest of all, these are read until then. To read a row
# takes several times as long as to have the index name one.
SKIPPED, GLANCED, WALKED = 4000, 1000, 20_000
# A little more than enough.
MARGIN = 1.2
# More than this the index does not name one by one.
MANY = 30_000
# Of what stands oftener, and yet not so often among WALKED, the latest are looked for in such parts of the time since the oldest.
PARTS = (20, 4)
LONGEST = 300


@dataclass(frozen=True, slots=True)
class Filters:
    """What to look in: `kind` message or anchor, `tool` a tool that a message calls, `since` and `until` when it was said."""

    conversation: UUID | None = None
    kind: str = ""
    role: str = ""
    tool: str = ""
    source_tool: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A message, or an anchor with its `anchor_type` and `state`. `seq` is its message in `conversation_id`."""

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


@dataclass(frozen=True, slots=True)
class Found:
    """A page. `only_latest`: of messages or of anchors more hold the words than the latest CANDIDATES, which alone are ranked."""

    hits: Sequence[Hit]
    next_cursor: str | None
    query: Query = field(default=Query(()))
    only_latest: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a page begins: after this rank and id, in what was there `as_of` the first page."""

    as_of: datetime
    rank: float | None = None
    id: UUID | None = None


def find(*, team: Team, words: str, filters: Filters = Filters(), cursor: str = "", limit: int = 20) -> Found:
    """One page of what holds all the words, best first. Raises Invalid where there are no words, or the cursor is none of ours.

    Secrets are neither found nor shown; rewound, dismissed and erased text is not found. At most twenty queries.
    """
    query = search.parse(words[:LONGEST])
    if not query.terms:
        raise Invalid("Say at least one word to look for.", field="q")
    place = _read(cursor) if cursor else _Place(timezone.now())
    wanted = Wanted(team.id, query.tsquery, place.as_of, filters.conversation, filters.role, filters.tool, filters.source_tool)
    wanted = replace(wanted, since=filters.since, until=filters.until)
    tables = [MESSAGES] if filters.kind in ("", "message") else []
    # An anchor is in nobody's role, and calls no tool.
    tables += [ANCHORS] if filters.kind in ("", "anchor") and not filters.role and not filters.tool else []
    with transaction.atomic(), connection.cursor() as database:
        found = _candidates(database, wanted, tables)
        messages, anchors = (found.get(table, [])[:CANDIDATES] for table in (MESSAGES, ANCHORS))
        after = [place.rank, place.rank, place.rank, place.id]
        database.execute(RANKED, [query.tsquery, messages, query.tsquery, anchors, *after, limit + 1])
        ranked = database.fetchall()
    more = len(ranked) > limit
    page = ranked[:limit]
    last = _write(_Place(place.as_of, page[-1][2], page[-1][1])) if more else None
    return Found(_shown(team, query, page), last, query, any(len(ids) > CANDIDATES for ids in found.values()))


def _candidates(database: Any, wanted: Wanted, tables: Sequence[str]) -> dict[str, list[UUID]]:
    """The latest of each table that hold the words: all, or one more than are ranked."""
    newest = {table: _newest(database, wanted, table) for table in tables if wanted.conversation is None}
    found = {table: ids for table, ids in newest.items() if len(ids) > CANDIDATES}
    database.execute(*planning(BY_WORDS))
    for table in tables:
        if table not in found:
            found[table] = _named(database, wanted, table)
    database.execute(*planning(ANY_WAY))
    return found


def _newest(database: Any, wanted: Wanted, table: str) -> list[UUID]:
    """Those among the team's latest rows, where enough of them are likely to be met there; else none."""
    glanced = _ids(database, wanted.among_newest(table, GLANCED, CANDIDATES + 1, skipped=SKIPPED))
    share = max(len(glanced) / GLANCED, _expected(database, wanted, table))
    return _ids(database, wanted.among_newest(table, WALKED, CANDIDATES + 1)) if share * WALKED >= CANDIDATES * MARGIN else []


def _expected(database: Any, wanted: Wanted, table: str) -> float:
    """The share of the team's rows that the planner expects to hold the words; far from true where it has no statistics yet."""
    database.execute(*wanted.expected(table))
    every, wanted_ones = (plan["Plan Rows"] for plan in database.fetchone()[0][0]["Plan"]["Plans"])
    return float(wanted_ones / every)


def _named(database: Any, wanted: Wanted, table: str) -> list[UUID]:
    """The latest of all that the index names; where that is very much, of the latest rows, and of the latest parts of the time."""
    database.execute(*wanted.named_by_index(table, MANY, CANDIDATES + 1))
    rows = database.fetchall()
    named = [row[0] for row in rows]
    if not rows or rows[0][1] <= MANY:
        return named
    database.execute(*planning(FROM_THE_END if wanted.conversation else ANY_WAY))
    walk = wanted.latest(table, CANDIDATES + 1) if wanted.conversation else wanted.among_newest(table, WALKED, CANDIDATES + 1)
    latest = _ids(database, walk)
    database.execute(*planning(BY_WORDS))
    if wanted.conversation or len(latest) > CANDIDATES:
        return latest
    oldest = datetime.fromtimestamp(rows[0][2], UTC)
    return list(dict.fromkeys([*latest, *_lately(database, wanted, table, oldest), *named]))[: CANDIDATES + 1]


def _lately(database: Any, wanted: Wanted, table: str, oldest: datetime) -> list[UUID]:
    """The latest of very many, of the shortest part of the time that has enough of them.

    The index names rows in the order in which they were stored, the latest last; to go back through all rows by time instead would read
    each one's words, seconds where a word stands in one message of a hundred.
    """
    latest: list[UUID] = []
    for part in PARTS:
        after = wanted.as_of - (wanted.as_of - oldest) / part
        latest = _ids(database, replace(wanted, after=after).named_by_index(table, MANY, CANDIDATES + 1))
        if len(latest) > CANDIDATES:
            break
    return latest


def _ids(database: Any, statement: tuple[str, Sequence[Any]]) -> list[UUID]:
    database.execute(*statement)
    return [row[0] for row in database.fetchall()]


def _shown(team: Team, query: Query, page: Sequence[Any]) -> list[Hit]:
    ids = [row[1] for row in page]
    messages = {row.id: row for row in Message.objects.filter(team=team, id__in=ids)}
    anchors = {row.id: row for row in Anchor.objects.filter(team=team, id__in=ids)}
    conversations = {row.conversation_id for row in messages.values()} | {row.conversation_id for row in anchors.values()}
    titles = dict(Conversation.objects.filter(id__in=conversations).values_list("id", "title"))
    hits = []
    for kind, id_, rank in page:
        if kind == "message" and id_ in messages:
            hits.append(_message(messages[id_], titles, rank, query))
        elif id_ in anchors:
            hits.append(_anchor(anchors[id_], titles, rank, query))
    return hits


def _message(row: Message, titles: dict[UUID, str], rank: float, query: Query) -> Hit:
    text = search.words_of_parts(masking.masked(row.parts, row.secrets))
    title = mask_text(titles.get(row.conversation_id, ""))
    place = (row.conversation_id, title, row.seq, row.role, row.at or row.created_at)
    return Hit("message", row.id, *place, rank, search.excerpt(text, query))


def _anchor(row: Anchor, titles: dict[UUID, str], rank: float, query: Query) -> Hit:
    more = [words for words in (row.rationale, row.rejected) if words and words not in row.text]
    text = mask_text("\n".join([row.text, *more]))
    title = mask_text(titles.get(row.conversation_id, ""))
    place = (row.origin_conversation_id or row.conversation_id, title, row.source_seq, "", row.created_at)
    return Hit("anchor", row.id, *place, rank, search.excerpt(text, query), row.key, row.type, row.state)


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
