"""Messages as their rows give them back."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from continuity.core.stored_json import as_stored
from continuity.services.recording import conversations, message_store
from continuity.transcripts.base.model import Usage
from continuity.transcripts.base.sanitise import clean_json
from tests.words import answered, called, resulted, said

ZONED = datetime(2026, 1, 5, 10, 0, 0, 5, tzinfo=timezone(timedelta(hours=5)))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=6), inner, max_size=5),
    max_leaves=12,
)


def talk(count: int):
    """Rules, calls with arguments in an order that no row keeps, results, usage and times of another zone."""
    for number in range(count):
        yield said(f"Never use port {number} for the importer.", at=ZONED + timedelta(seconds=number))
        yield called("Write", {"file_path": f"src/part{number}.py", "content": "x", "é": [{"bb": 1e22, "a": -0.0}]}, call_id=f"c{number}")
        yield resulted("Error: no such file", call_id=f"c{number}", failed=True, exit_code=0)
        yield answered(
            f"I decided to use {number} workers.", usage=Usage(10, 2, 3, 4), usage_id="u" * 300, model="m" * 200, agent="a" * 300
        )


def test_it_works(team):
    conversation = conversations.create(team=team)
    conversations.append(team=team, conversation_id=conversation.id, messages=list(talk(5)))
    read = message_store.between(conversation.id, 3, 20)
    assert [seq for seq, _, _ in read] == list(range(4, 21))
    assert read[1][1].at == ZONED.astimezone(UTC) + timedelta(seconds=1)


def test_rewound_messages_are_left_out(team):
    conversation = conversations.create(team=team)
    messages = list(talk(2))
    conversations.append(team=team, conversation_id=conversation.id, messages=messages, abandoned=[messages[1].external_id])
    assert [seq for seq, _, _ in message_store.between(conversation.id, 0, 8)] == [1, 3, 4, 5, 6, 7, 8]


@pytest.mark.django_db
@given(VALUES)
def test_values_come_back_in_the_same_form(value):
    clean = clean_json(value)
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::jsonb::text", [json.dumps(clean)])
        stored = json.loads(cursor.fetchone()[0])
    ours = as_stored(clean)
    assert json.dumps(ours) == json.dumps(stored)  # the order of keys and the form of numbers count
    assert json.dumps(as_stored(stored)) == json.dumps(stored)
