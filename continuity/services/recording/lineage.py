"""Conversations that continue one another: an erase must follow the copies into them."""

from collections.abc import Sequence
from uuid import UUID

from django.db import connection

from continuity.models import Conversation

# Down from a conversation through those that were resumed from it, nearest first.
_HEIRS = """
WITH RECURSIVE below (id, depth) AS (
    SELECT id, 0 FROM continuity_conversation WHERE id = %(id)s
    UNION SELECT heir.id, below.depth + 1 FROM continuity_conversation heir JOIN below ON heir.resumed_from_id = below.id
) SELECT id FROM below WHERE depth > 0 ORDER BY depth, id
"""
# Up and down, until nothing new is found.
_FAMILY = """
WITH RECURSIVE family (id, resumed_from_id) AS (
    SELECT id, resumed_from_id FROM continuity_conversation WHERE id = %(id)s
    UNION
    SELECT kin.id, kin.resumed_from_id FROM continuity_conversation kin
    JOIN family ON kin.resumed_from_id = family.id OR kin.id = family.resumed_from_id
) SELECT id FROM family ORDER BY id
"""


def heirs(conversation: Conversation) -> Sequence[UUID]:
    """The conversations that go back to it, its direct successors first. One query."""
    return _ids(_HEIRS, conversation.id)


def family(conversation_id: UUID) -> Sequence[UUID]:
    """All that are connected with it by being resumed, itself among them, in the order in which they are locked. One query."""
    return _ids(_FAMILY, conversation_id)


def _ids(query: str, conversation_id: UUID) -> list[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(query, {"id": conversation_id})
        return [found for (found,) in cursor.fetchall()]
