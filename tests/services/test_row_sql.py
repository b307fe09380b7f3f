"""Inserts and upserts in one statement store what the models' own do."""

from django.db import connection, models
from django.utils import timezone

from continuity.models import Agent, AuditEntry, FileTouch, Job, JobStatus, Task
from continuity.services.recording import conversations
from continuity.services.recording.row_sql import columns, insert, read, update, upsert
from tests.agents.runner import Runner
from tests.words import said


def values(row: models.Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_it_works(team):
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


def test_a_row_is_changed_only_while_it_is_as_said(team):
    job = Job.objects.create(team=team, kind="nothing", arguments={})
    assert update(job, only={"status": JobStatus.QUEUED}, status=JobStatus.RUNNING, arguments={"a": ["'", "%", None]})
    assert not update(job, only={"status": JobStatus.QUEUED}, kind="late")
    stored = Job.objects.get(id=job.id)
    assert (stored.status, stored.kind, stored.arguments) == ("running", "nothing", {"a": ["'", "%", None]})
    assert values(stored) == values(job)


def test_what_a_statement_reads_is_what_the_models_read(team):
    Runner(team).start("dba", expertise=["postgres", "it's"], config={"deep": {"é": [1, None]}})
    stored = Agent.objects.get(name="dba")
    for names in ((), ("name", "expertise", "id")):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {columns(Agent, *names, of='agent')} FROM continuity_agent agent")
            found = read(Agent, cursor.fetchone(), *names)
        assert found.get_deferred_fields() == ({each for each in values(stored) if each not in names} if names else set())
        assert (found.id, found.expertise, values(found)) == (stored.id, stored.expertise, values(stored))
