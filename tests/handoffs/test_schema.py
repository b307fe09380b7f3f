"""The tables of CONT-04 as Postgres has them."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from handoffs.models import HandoffChain
from tests.factories import ConversationFactory

pytestmark = pytest.mark.django_db

NOW, RANDOM = "now", "gen_random_uuid"
# Column: whether it may be null, and what its default calls. Conversations are rows of ours, so their ids are UUIDs.
HANDOFFS = {
    "id": ("uuid", False, RANDOM),
    "conversation_id": ("uuid", False, None),
    "previous_handoff_id": ("uuid", True, None),
    "compacted_summary": ("text", False, None),
    "anchors": ("jsonb", False, None),
    "pending_tasks": ("jsonb", False, None),
    "session_state": ("jsonb", True, None),
    "metadata": ("jsonb", False, None),
    "continuation_directive": ("jsonb", True, None),
    "created_at": ("timestamp with time zone", False, NOW),
    "resumed_at": ("timestamp with time zone", True, None),
    "resumed_conversation_id": ("uuid", True, None),
    "expires_at": ("timestamp with time zone", False, NOW),
}
CHAINS = {
    "id": ("uuid", False, RANDOM),
    "root_conversation_id": ("uuid", False, None),
    "current_handoff_id": ("uuid", True, None),
    "total_handoffs": ("integer", False, "1"),
    "total_tokens_processed": ("bigint", False, None),
    "started_at": ("timestamp with time zone", False, NOW),
    "last_activity_at": ("timestamp with time zone", False, NOW),
}


def asked(statement, *values):
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall()


@pytest.mark.parametrize(("table", "columns"), [("session_handoffs", HANDOFFS), ("handoff_chains", CHAINS)])
def test_it_works(table, columns):
    """The columns are those of the specification."""
    found = asked("SELECT column_name, data_type, is_nullable, column_default FROM information_schema.columns WHERE table_name = %s", table)
    there = {name: (kind, nullable == "YES", default) for name, kind, nullable, default in found}
    assert set(columns) <= set(there)
    for name, (kind, nullable, default) in columns.items():
        assert there[name][:2] == (kind, nullable), name
        told = (there[name][2] or "").lower().replace("current_timestamp", "now()")
        assert default in told if default else told == "", name
    if table == "session_handoffs":
        assert "30 days" in there["expires_at"][2]


def test_the_indexes_and_references_are_those_of_the_specification():
    indexes = dict(asked("SELECT indexname, indexdef FROM pg_indexes WHERE tablename IN ('session_handoffs', 'handoff_chains')"))
    assert "(conversation_id" in indexes["idx_handoffs_conversation"]
    assert indexes["idx_handoffs_expires"].endswith("(expires_at) WHERE (resumed_at IS NULL)")
    assert indexes["idx_chains_root"].endswith("(root_conversation_id)")
    assert sum("(root_conversation_id)" in each for each in indexes.values()) == 1
    referred = asked(
        "SELECT source.relname, attname, target.relname FROM pg_constraint "
        "JOIN pg_class AS source ON source.oid = conrelid JOIN pg_class AS target ON target.oid = confrelid "
        "JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1] WHERE contype = 'f' AND cardinality(conkey) = 1"
    )
    assert {
        ("session_handoffs", "previous_handoff_id", "session_handoffs"),
        ("handoff_chains", "current_handoff_id", "session_handoffs"),
    } <= set(referred)


def test_postgres_fills_in_the_defaults_itself():
    conversation = ConversationFactory.create()
    asked(
        "INSERT INTO handoff_chains (created_at, team_id, root_conversation_id, total_tokens_processed) "
        "VALUES (now(), %s, %s, 5) RETURNING id",
        conversation.team_id,
        conversation.id,
    )
    chain = HandoffChain.objects.get(root_conversation=conversation)
    assert isinstance(chain.id, uuid.UUID)
    assert chain.total_handoffs == 1
    assert timezone.now() - chain.started_at < timedelta(hours=1)
