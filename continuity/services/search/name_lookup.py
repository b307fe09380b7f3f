"""Whether words stand in the latest stretch of a conversation, by the words of the index."""

from collections.abc import Collection
from uuid import UUID

from django.db import connection

from continuity.search import Term
from continuity.search.wording import WORD

_SAID = """
SELECT bool_and(EXISTS(
    SELECT FROM continuity_message AS said WHERE said.conversation_id = %s AND said.seq > %s AND said.seq < %s
    AND NOT said.abandoned AND said.seq <> ALL(%s::int[]) AND said.words @@ to_tsquery('simple', wanted)
)) FROM unnest(%s::text[]) AS wanted
"""


def all_stated(*, conversation_id: UUID, names: Collection[str], after: int, before: int, besides: Collection[int] = ()) -> bool:
    """Whether each of these names stands in a message between two others, without those `besides`; not where there are none. What is not
    indexed yet is not found. One query, as dear as there are messages and names: who asks bounds both."""
    wanted = [Term(words).tsquery for name in names if (words := tuple(WORD.findall(name.lower())))]
    if not wanted:
        return False
    with connection.cursor() as cursor:
        cursor.execute(_SAID, [conversation_id, after, before, list(besides), wanted])
        row = cursor.fetchone()
    return bool(row and row[0])
