"""What is folded is what is stored: messages kept by the process that stored them are those that the rows give back."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.db import connection
from django.db.models import F
from hypothesis import given
from hypothesis import strategies as st

from continuity.core.stored_json import as_stored
from continuity.models import Conversation, FoldState
from continuity.pipeline import STEP
from continuity.services.knowledge import fold_runner
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


def append(conversation, messages, kept, **more):
    done = conversations.append(team=conversation.team, conversation_id=conversation.id, messages=list(messages), **more)
    kept.add(done.conversation, done.fresh)
    conversation.refresh_from_db()


@pytest.fixture
def conversation(team):
    return conversations.create(team=team)


@pytest.fixture
def kept():
    return message_store.Kept()


def test_it_works(conversation, kept):
    append(conversation, talk(5), kept)
    read = message_store.between(conversation.id, 3, 20)
    assert kept.take(conversation, 3, 20) == read
    assert [seq for seq, _, _ in read] == list(range(4, 21))
    assert read[1][1].at == ZONED.astimezone(UTC) + timedelta(seconds=1)


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


def test_what_is_taken_is_given_up(conversation, kept):
    append(conversation, talk(3), kept)
    assert kept.take(conversation, 0, 12)
    assert kept.take(conversation, 0, 12) is None


def test_messages_of_others_in_between_are_read(conversation, kept):
    append(conversation, talk(1), kept)
    append(conversation, [said("From elsewhere.")], message_store.Kept())
    append(conversation, talk(1), kept)
    assert kept.take(conversation, 0, 9) is None


def test_rewound_messages_are_left_out(conversation, kept):
    messages = list(talk(2))
    append(conversation, messages, kept, abandoned=[messages[1].external_id])
    assert kept.take(conversation, 0, 8) == message_store.between(conversation.id, 0, 8)


def test_nothing_from_before_a_rewind_is_handed_out(conversation, kept):
    messages = list(talk(2))
    append(conversation, messages, kept)
    append(conversation, [], kept, abandoned=[messages[1].external_id])
    assert kept.take(conversation, 0, 8) is None


def test_nothing_from_before_an_erasure_is_handed_out(conversation, kept):
    append(conversation, talk(1), kept)
    Conversation.objects.filter(id=conversation.id).update(rewinds=F("rewinds") + 1)  # as every erasure does
    conversation.refresh_from_db()
    assert kept.take(conversation, 0, 4) is None
    append(conversation, talk(1), kept)
    assert kept.take(conversation, 0, 8) is None


def test_folding_on_with_what_was_kept_finds_what_reading_finds(team, conversation, kept):
    messages = list(talk(300))
    append(conversation, messages[:700], kept)
    append(conversation, messages[700:], kept)
    folding = fold_runner.Folding(conversation.id, kept)
    while not folding.catch_up(steps=1).complete:
        pass
    other = conversations.create(team=team)
    append(other, messages[:700], message_store.Kept())
    append(other, messages[700:], message_store.Kept())
    fold_runner.catch_up(conversation_id=other.id)
    ours, theirs = (FoldState.objects.get(conversation=each) for each in (conversation, other))
    assert (ours.state, ours.segment, ours.curve, ours.outline) == (theirs.state, theirs.segment, theirs.curve, theirs.outline)


def test_a_step_of_another_process_is_gone_on_from(conversation, kept):
    messages = list(talk(300))
    append(conversation, messages[:600], kept)
    folding = fold_runner.Folding(conversation.id, kept)
    assert folding.catch_up(steps=1).through_seq == STEP
    fold_runner.catch_up(conversation_id=conversation.id)  # the other one takes the rest
    append(conversation, messages[600:], kept)
    assert folding.catch_up().through_seq == 1200
    state = FoldState.objects.get(conversation=conversation).state
    assert state["messages"] == 1200
