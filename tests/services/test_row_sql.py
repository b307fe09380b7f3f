"""Statements that are written out read and store what the models' own do."""

from uuid import uuid4

from django.db import models
from django.utils import timezone

from continuity.models import AuditEntry, Conversation, FileTouch, FoldState, Job, Task
from continuity.services.recording import conversations
from continuity.services.recording.row_sql import Written, insert, upsert
from tests.words import said

OF_TEAM = Written(Conversation, "team_id = %s ORDER BY created_at")
BESIDE = Written(
    Conversation,
    "continuity_conversation.team_id = %s ORDER BY continuity_conversation.created_at",
    beside=("team", "owner", "resumed_from"),
)
PARTLY = Written(
    Conversation,
    "continuity_conversation.id = %s",
    without=("metadata", "resumed_from__metadata"),
    beside=("resumed_from",),
)
FOLDED = Written(Conversation, "continuity_conversation.team_id = %s ORDER BY continuity_conversation.created_at", beside=("fold",))
LIGHT = Written(Conversation, "id = %s", without=("metadata",))


def values(row: models.Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_it_works(team):
    made = conversations.create(team=team, title="Written", metadata={"of": ["lists", {"and": None}]})
    found = OF_TEAM.first(team.id)
    assert found is not None
    assert values(found) == values(Conversation.objects.get(id=made.id))
    assert not found._state.adding


def test_no_row_is_none_and_an_empty_list(db):
    assert OF_TEAM.first(uuid4()) is None
    assert OF_TEAM.rows(uuid4()) == []


def test_what_is_left_out_is_read_when_asked_for(team, django_assert_num_queries):
    made = conversations.create(team=team, metadata={"key": "value"})
    with django_assert_num_queries(1):
        found = LIGHT.first(made.id)
    assert found is not None
    with django_assert_num_queries(1):
        assert found.metadata == {"key": "value"}


def test_a_row_is_read_with_those_that_it_points_at(team, owner, django_assert_num_queries):
    before = conversations.create(team=team, owner=owner, title="Before", metadata={"key": "value"})
    after = conversations.create(team=team, title="After")
    Conversation.objects.filter(id=after.id).update(resumed_from=before)
    with django_assert_num_queries(1):
        first, second = BESIDE.rows(team.id)
        assert first.owner is not None and second.resumed_from is not None
        assert (values(first.team), values(first.owner), first.resumed_from) == (values(team), values(owner), None)
        assert (values(second.resumed_from), second.owner) == (values(first), None)
    assert values(first) == values(Conversation.objects.get(id=before.id))


def test_columns_of_what_it_points_at_can_be_left_out_too(team, django_assert_num_queries):
    before = conversations.create(team=team, title="Before", metadata={"key": "value"})
    after = conversations.create(team=team, title="After", metadata={"other": "value"})
    Conversation.objects.filter(id=after.id).update(resumed_from=before)
    with django_assert_num_queries(1):
        found = PARTLY.first(after.id)
        assert found is not None and found.resumed_from is not None
        assert (found.title, found.resumed_from.title) == ("After", "Before")
    with django_assert_num_queries(2):
        assert (found.metadata, found.resumed_from.metadata) == ({"other": "value"}, {"key": "value"})


def test_a_row_is_read_with_the_one_that_points_at_it(team, django_assert_num_queries):
    known, unknown = conversations.create(team=team), conversations.create(team=team)
    FoldState.objects.create(team=team, conversation=known, state={"some": ["thing"]}, rules_version=1)
    with django_assert_num_queries(1):
        first, second = FOLDED.rows(team.id)
        assert first.fold.state == {"some": ["thing"]}
        assert first.fold.conversation is first
        assert not hasattr(second, "fold")
    assert [first.id, second.id] == [known.id, unknown.id]


def test_an_inserted_row_is_as_it_was_made(team):
    conversation = conversations.create(team=team)
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("Hello.")])
    job = Job(team=team, kind="nothing", arguments={"text": "quotes ' and \" and % and \\", "none": None}, conversation=conversation)
    insert(job)
    assert values(Job.objects.get(id=job.id)) == values(job)
    job.kind = "something"
    job.save(update_fields=["kind"])
    assert Job.objects.get(id=job.id).kind == "something"


def test_fields_that_the_store_writes_otherwise(team):
    entry = AuditEntry(team=team, action="team.renamed", address="192.0.2.7", details={})
    insert(entry)
    assert AuditEntry.objects.get(id=entry.id).address == "192.0.2.7"


def test_rows_are_stored_as_they_were_made(team):
    conversation = conversations.create(team=team)
    about = {"team": team, "conversation": conversation, "status": 1, "method": "list", "first_seq": 1, "last_seq": 2}
    made = [
        Task(key="a", description="Quotes ' and \" and % and \\ and é", steps_done=["one", 'two, "quoted"', ""], steps_left=[], **about),
        Task(key="b", description="", blocking_reason="{null}", edited_at=timezone.now(), **about),
    ]
    upsert(made, unique=("conversation", "key"), update=("description",))
    assert [values(row) for row in Task.objects.order_by("key")] == [values(row) for row in made]


def test_a_row_that_is_there_keeps_all_but_what_is_set_anew(team):
    conversation = conversations.create(team=team)
    about = {"team": team, "conversation": conversation, "path": "a.py", "action": "created", "first_seq": 1}
    first = FileTouch(last_seq=1, note="kept", symbols=["one"], **about)
    upsert([first], unique=("conversation", "path", "action", "epoch"), update=("last_seq", "symbols"))
    again = FileTouch(last_seq=7, note="new", symbols=["one", "two"], **about)
    upsert([again], unique=("conversation", "path", "action", "epoch"), update=("last_seq", "symbols"))
    assert values(FileTouch.objects.get()) == values(first) | {"last_seq": 7, "symbols": ["one", "two"]}


def test_storing_no_rows_asks_nothing(db, django_assert_num_queries):
    with django_assert_num_queries(0):
        upsert([], unique=("conversation", "key"), update=("description",))
