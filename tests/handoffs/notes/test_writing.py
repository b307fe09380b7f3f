"""Handoff notes over the API: written, checked, changed, bounded, and used in the next package."""

import pytest

from continuity.models import Conversation, Event, Role
from continuity.services.accounts import accounts
from continuity.services.recording import conversations
from handoffs.models import Handoff, NoteStatement, StoredNote
from handoffs.services.notes import note_edits, note_writer
from handoffs.services.packages.authors import Author
from tests.api.caller import Caller
from tests.cast import person
from tests.handoffs.story import story
from tests.words import called, resulted

pytestmark = pytest.mark.django_db

HOLDS = "The job queue has /srv/app/queue/schema.py now."
OPEN = "The cause is the cache of the resolver."
WRONG = "All tests pass."
NOTE = {"now": [HOLDS, WRONG], "lessons": [OPEN], "decisions": ["Use Postgres for the job queue instead of Redis."]}


@pytest.fixture
def api(team):
    return Caller.of(team)


@pytest.fixture
def conversation(team):
    return story(team)


def write(api, conversation, note=NOTE, **headers):
    answer = api.post(f"/conversations/{conversation.id}/notes", note, **headers)
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_it_works(api, conversation):
    told = write(api, conversation)
    assert [(each["part"], each["text"]) for each in told["contradicted"]] == [("now", WRONG)]
    assert "pytest tests/queue" in told["contradicted"][0]["reason"]
    assert [each["text"] for each in told["unconfirmed"]] == [OPEN]
    assert (told["note"]["kind"], told["note"]["number"], told["note"]["through_seq"], told["made"]) == ("agent", 1, 10, True)
    made = api.post(f"/conversations/{conversation.id}/handoffs", {}).json()
    text = Handoff.objects.get(id=made["id"]).text
    assert f"• {HOLDS}\n" in text
    assert f"• {OPEN}\n" in text
    assert WRONG not in text
    kept = {each["text"]: each for each in api.get(f"/handoffs/{made['id']}").json()["package"]["note"]["statements"]}
    assert (kept[WRONG]["verdict"], kept[WRONG]["reason"]) == ("contradicted", told["contradicted"][0]["reason"])
    event = Event.objects.get(name="note.written")
    assert (event.payload["statements"], event.payload["contradicted"]) == (4, 1)


def test_a_reference_expands_to_its_statement(api, conversation):
    write(api, conversation)
    made = api.post(f"/conversations/{conversation.id}/handoffs", {}).json()
    told = api.get(f"/handoffs/{made['id']}/expand", ref="[n4?]", level="detailed").json()
    assert (told["kind"], told["record"]["part"], told["record"]["verdict"]) == ("note", "lessons", "uncontradicted")
    assert OPEN in told["text"]
    assert told["record"]["throughSeq"] == 10
    assert api.get(f"/handoffs/{made['id']}/expand", ref="n99").status_code == 404


def test_an_outsider_gets_404_and_a_viewer_403(team, other_team, conversation, client, api):
    theirs = Caller.of(other_team)
    note = write(api, conversation)["note"]
    place = f"/conversations/{conversation.id}/notes"
    assert theirs.post(place, NOTE).status_code == 404
    assert theirs.get(place).status_code == 404
    assert theirs.patch(f"{place}/{note['id']}", {"key": note["statements"][0]["key"], "action": "dismiss"}).status_code == 404
    reader = Caller.of(team, scopes=["read"])
    assert reader.get(place).status_code == 200
    assert reader.post(place, NOTE).status_code == 403
    viewer = person("viewer")
    accounts.add_member(team=team, user=viewer, role=Role.VIEWER)
    client.force_login(viewer)
    sent = client.patch(f"/api/v1{place}/{note['id']}", {"key": note["statements"][0]["key"], "action": "dismiss"}, "application/json")
    assert sent.status_code == 403


def test_the_same_note_twice_is_one(api, conversation):
    assert write(api, conversation, idempotency_key="k1") == write(api, conversation, idempotency_key="k1")
    again = write(api, conversation)
    assert (again["made"], again["note"]["number"]) == (False, 1)
    assert StoredNote.objects.count() == 1


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({}, "note"),
        ({"now": ["  "]}, "now[0]"),
        ({"now": [""], "next": ["x"]}, "now[0]"),
    ],
)
def test_a_note_that_says_nothing_is_refused(api, conversation, sent, field):
    answer = api.post(f"/conversations/{conversation.id}/notes", sent)
    assert (answer.status_code, answer.json()["field"]) == (422, field)


def test_a_secret_is_masked_before_it_is_stored(api, conversation):
    secret = "ghp_" + "R4nd0mLetters" * 3
    told = write(api, conversation, {"lessons": [f"The token is {secret}, mind it."]})
    assert secret not in str(told)
    assert not NoteStatement.objects.filter(text__contains=secret).exists()
    assert "[secret: " in NoteStatement.objects.get().text


def test_only_the_newest_are_kept_and_the_answer_says_so(api, conversation):
    dropped = [write(api, conversation, {"lessons": [f"Lesson {number} was learnt."]})["dropped"] for number in range(50)]
    assert dropped == [0] * note_writer.KEPT + [1] * (50 - note_writer.KEPT)
    numbers = [note["number"] for note in api.get(f"/conversations/{conversation.id}/notes").json()]
    assert numbers == list(range(50, 50 - note_writer.KEPT, -1))


def test_a_persons_edit_is_their_word_and_stays_in_later_notes(team, owner, api, conversation):
    note = write(api, conversation)["note"]
    wrong, lesson = note["statements"][1]["key"], note["statements"][3]["key"]
    place = {"team": team, "conversation_id": conversation.id, "note_id": note["id"], "author": Author(user=owner)}
    note_edits.edit(key=wrong, text="The lease test is known to fail.", **place)
    note_edits.dismiss(key=lesson, **place)
    conversations.append(
        team=team,
        conversation_id=conversation.id,
        messages=[called("Bash", {"command": "pytest tests/queue"}, call_id="t9"), resulted("12 passed", call_id="t9", exit_code=0)],
    )
    again = write(api, conversation)
    rows = {row["text"]: row for row in again["note"]["statements"]}
    assert (rows["The lease test is known to fail."]["person"], rows["The lease test is known to fail."]["original"]) == (True, WRONG)
    assert rows[OPEN]["dismissed"] is True
    made = api.post(f"/conversations/{conversation.id}/handoffs", {}).json()
    text = Handoff.objects.get(id=made["id"]).text
    assert "The lease test is known to fail." in text
    assert OPEN not in text


def test_a_dismissal_that_was_taken_back_leaves_nothing_behind(team, owner, api, conversation):
    note = write(api, conversation, {"now": [WRONG]})["note"]
    place = {"team": team, "conversation_id": conversation.id, "note_id": note["id"], "author": Author(user=owner)}
    note_edits.dismiss(key=note["statements"][0]["key"], **place)
    note_edits.restore(key=note["statements"][0]["key"], **place)
    conversations.append(
        team=team,
        conversation_id=conversation.id,
        messages=[called("Bash", {"command": "pytest tests/queue"}, call_id="t9"), resulted("12 passed", call_id="t9", exit_code=0)],
    )
    (again,) = write(api, conversation, {"now": [WRONG]})["note"]["statements"]
    assert (again["verdict"], again["dismissed"], again["changed_at"]) == ("supported", False, None)


def test_a_keys_edit_is_checked_as_a_note_is(api, conversation):
    note = write(api, conversation)["note"]
    place, key = f"/conversations/{conversation.id}/notes/{note['id']}", note["statements"][0]["key"]
    told = api.patch(place, {"key": key, "action": "edit", "text": "Every test is green: all tests pass."}).json()
    assert (told["statements"][0]["verdict"], told["statements"][0]["person"]) == ("contradicted", False)
    assert api.patch(place, {"key": "n999", "action": "dismiss"}).status_code == 404
    assert api.patch(place, {"key": key, "action": "edit", "text": " "}).status_code == 422
    assert api.patch(place, {"key": key, "action": "dismiss"}).json()["statements"][0]["dismissed"] is True
    assert api.patch(place, {"key": key, "action": "restore"}).json()["statements"][0]["dismissed"] is False


def test_what_was_right_when_it_was_written_is_checked_again(team, api, conversation):
    conversations.append(
        team=team,
        conversation_id=conversation.id,
        messages=[called("Bash", {"command": "pytest tests/queue"}, call_id="t8"), resulted("12 passed", call_id="t8", exit_code=0)],
    )
    assert write(api, conversation, {"now": [WRONG]})["contradicted"] == []
    edit = {"file_path": "/srv/app/queue/schema.py", "old_string": "x = 1", "new_string": "x = 2"}
    conversations.append(
        team=team, conversation_id=conversation.id, messages=[called("Edit", edit, call_id="t9"), resulted("Updated.", call_id="t9")]
    )
    made = api.post(f"/conversations/{conversation.id}/handoffs", {}).json()
    assert WRONG not in Handoff.objects.get(id=made["id"]).text
    kept = api.get(f"/handoffs/{made['id']}").json()["package"]["note"]["statements"][0]
    assert (kept["verdict"], "before the last edit" in kept["reason"]) == ("contradicted", True)


def test_an_ended_conversation_takes_no_note(team, api, conversation):
    Conversation.objects.filter(id=conversation.id).update(status="invalidated")
    assert api.post(f"/conversations/{conversation.id}/notes", NOTE).status_code == 410
