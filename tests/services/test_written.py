"""Statements that are written out read and store what the models' own do."""

from uuid import uuid4

from django.db import models

from continuity.models import AuditEntry, Conversation, Job
from continuity.services import conversations
from continuity.written import Written, insert
from tests.words import said

OF_TEAM = Written(Conversation, "team_id = %s ORDER BY created_at")
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
