"""The other two sources of a note: a summary that the tool wrote, and the model that is set up."""

import json

import pytest

from continuity.models import JobStatus
from continuity.services.jobs import jobs
from continuity.services.recording import conversations
from handoffs.models import Handoff, NoteAuthor, StoredNote
from handoffs.services.notes import model_notes, note_queries
from handoffs.services.packages import preparation
from tests.api.caller import Caller
from tests.handoffs.story import story
from tests.model.conftest import model  # noqa: F401  a fixture
from tests.words import answered, compacted, said

pytestmark = pytest.mark.django_db

SUMMARY = "Summary:\n\n2. Decisions:\n   - Use Postgres for the job queue instead of Redis.\n\n8. Current Work:\n   All tests pass now.\n"


@pytest.fixture
def conversation(team):
    return story(team)


@pytest.fixture
def api(team):
    return Caller.of(team)


def prepared(team, conversation):
    options = preparation.options_of()
    return preparation.prepare(team=team, conversation_id=conversation.id, options=options)


def test_it_works(team, conversation):
    """A summary becomes a note of its place with the first package, once."""
    more = [compacted(SUMMARY), said("Please fix the lease next."), answered("I look at the lease.")]
    conversations.append(team=team, conversation_id=conversation.id, messages=more)
    made = prepared(team, conversation)
    assert "- All tests pass now." not in made.text
    verdicts = {each["text"]: each["verdict"] for each in made.rest["note"]["statements"]}
    assert verdicts == {"Use Postgres for the job queue instead of Redis.": "supported", "All tests pass now.": "contradicted"}
    note = StoredNote.objects.get(conversation=conversation)
    assert (note.kind, note.through_seq) == (NoteAuthor.SUMMARY, 11)
    assert made.rest["note"]["throughSeq"] == 11
    prepared(team, conversation)
    assert StoredNote.objects.count() == 1


def test_a_note_that_was_written_later_goes_before_a_summary(team, api, conversation):
    conversations.append(team=team, conversation_id=conversation.id, messages=[compacted(SUMMARY), said("Go on with the lease.")])
    api.post(f"/conversations/{conversation.id}/notes", {"lessons": ["Leases are short."]})
    made = prepared(team, conversation)
    assert [each["text"] for each in made.rest["note"]["statements"]] == ["Leases are short."]
    later = "Summary:\n\n2. Decisions:\n   - Leases last for a minute.\n"
    conversations.append(team=team, conversation_id=conversation.id, messages=[compacted(later), said("And now the worker.")])
    again = prepared(team, conversation)
    assert [each["text"] for each in again.rest["note"]["statements"]] == ["Leases last for a minute."]


def answer(**parts):
    return lambda call: call.say("Here it is: " + json.dumps(parts))


def statement(text, source):
    return {"text": text, "source": source}


def test_a_model_writes_a_note_of_what_has_a_source(model, team, api, conversation):  # noqa: F811
    model.answers = [
        answer(
            now=[statement("The test for the lease fails because the clock is read twice.", "m1"), statement("No source.", "m999")],
            rules=[statement("Never change the public API of the client.", "[m1]"), statement("Never sleep.", "m1")],
            decisions=["not an object", {"text": 7, "source": "m1"}],
        )
    ]
    done = api.finish(api.post(f"/conversations/{conversation.id}/notes/by-model", {}))
    assert (done["status"], done["result"]["statements"], done["result"]["without_source"]) == ("done", 3, 3)
    note = StoredNote.objects.get(conversation=conversation)
    assert (note.kind, note.model, note.through_seq) == (NoteAuthor.MODEL, "small-model", 10)
    verdicts = {row.text: row.verdict for row in note.statements.all()}
    assert verdicts["Never change the public API of the client."] == "supported"
    assert verdicts["Never sleep."] == "contradicted"
    assert "Never sleep." not in prepared(team, conversation).text
    sent = model.asked[0].body["messages"]
    assert "data" in sent[0]["content"]
    assert {"m1", "m3"} <= {piece["source"] for piece in json.loads(sent[-1]["content"])}


def test_a_model_that_fails_leaves_a_warning_and_no_note(model, team, conversation):  # noqa: F811
    model.answers = [lambda call: call.say("I can't.")]
    job = model_notes.submit(team=team, conversation_id=conversation.id)
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert (job.status, job.warnings) == (JobStatus.DONE, ["The model wrote no note: not JSON."])
    assert note_queries.newest(conversation) is None


def test_without_a_model_nothing_is_asked(team, api, conversation):
    assert api.post(f"/conversations/{conversation.id}/notes/by-model", {}).status_code == 409
    assert model_notes.request(conversation_id=conversation.id) is None


def test_nobody_asks_a_model_where_a_note_was_written_lately(model, team, api, conversation):  # noqa: F811
    api.post(f"/conversations/{conversation.id}/notes", {"lessons": ["Leases are short."]})
    assert model_notes.request(conversation_id=conversation.id) is None
    StoredNote.objects.all().delete()
    assert model_notes.request(conversation_id=conversation.id) is not None
    assert model_notes.request(conversation_id=conversation.id) is None  # one is under way
    assert Handoff.objects.count() == 0
