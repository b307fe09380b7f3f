"""A note in the life of its conversation: written twice at once, erased, rewound, taken into a package that waits."""

import threading
from uuid import UUID

import pytest
from django.db import connection

from continuity.core.errors import Invalid
from continuity.knowledge.handoff_note import CheckedNote
from continuity.models import Conversation
from continuity.services.events import events
from continuity.services.recording import conversations
from handoffs.models import Handoff, NoteAuthor, NoteStatement, StoredNote
from handoffs.notes import form
from handoffs.services.erasure import erasing
from handoffs.services.notes import note_writer, package_refresh
from handoffs.services.packages import preparation
from tests.api.caller import Caller
from tests.handoffs.story import story
from tests.words import said

LESSON = "Leases of the queue are short."


def write(team, conversation, text=LESSON, **more):
    return note_writer.write(team=team, conversation_id=conversation.id, note=form.read({"lessons": [text]}), **more)


@pytest.mark.django_db(transaction=True)
def test_it_works(team):
    """Two writers at the same moment: both notes are there, numbered in turn; the same words are one."""
    conversation = story(team)
    barrier, failures = threading.Barrier(4), []

    def work(text):
        try:
            barrier.wait()
            write(team, conversation, text)
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=[text]) for text in (LESSON, LESSON, "Other words.", LESSON)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    numbers = list(StoredNote.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert 2 <= len(numbers) <= 3
    assert NoteStatement.objects.filter(text=LESSON).count() in (1, 2)


@pytest.mark.django_db
def test_a_note_is_never_stored_without_its_check(team, monkeypatch):
    """What fails between the check and the end of the transaction leaves nothing."""
    conversation = story(team)

    def broken(*args, **kwargs):
        raise RuntimeError

    monkeypatch.setattr(events, "publish", broken)
    with pytest.raises(RuntimeError):
        write(team, conversation)
    assert not StoredNote.objects.exists()
    assert not NoteStatement.objects.exists()


@pytest.mark.django_db
def test_knowledge_that_was_taken_back_meanwhile_is_read_again(team, monkeypatch):
    conversation = story(team)
    stale = conversations.get(team=team, conversation_id=conversation.id)
    Conversation.objects.filter(id=conversation.id).update(rewinds=7)
    assert note_writer.store(stale, CheckedNote((), 3), NoteAuthor.AGENT) is None
    assert write(team, conversation).made is True


@pytest.mark.django_db
def test_a_conversations_notes_go_with_it_and_with_what_its_heirs_were_told(team, owner):
    conversation = story(team)
    write(team, conversation)
    made = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    api = Caller.of(team)
    heir = UUID(api.post(f"/handoffs/{made.id}/resume", {}).json()["conversation"]["id"])
    conversations.append(team=team, conversation_id=heir, messages=[said("Go on.")])
    api.post(f"/conversations/{heir}/notes", {"lessons": ["Words that the erased one taught."]})
    assert StoredNote.objects.count() == 2
    erasure = erasing.erase_conversation(team=team, conversation_id=conversation.id, by=erasing.By(owner.email, owner))
    assert StoredNote.objects.count() == 0
    assert erasure.removed["storednote"] == 2


@pytest.mark.django_db
@pytest.mark.parametrize("words", ["Leases", "history of leases"])
def test_redacted_words_are_gone_from_notes_and_packages(team, owner, words):
    conversation = story(team)
    api = Caller.of(team)
    api.post(f"/conversations/{conversation.id}/notes", {"lessons": [f"{words} are short."], "history": ["Nothing else was asked."]})
    made = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    erasing.erase_words(team=team, conversation_id=conversation.id, words=words, by=erasing.By(owner.email, owner))
    assert not NoteStatement.objects.filter(text__contains=words).exists()
    kept = Handoff.objects.get(id=made.id)
    assert words not in str(kept.rest)
    assert [each["part"] for each in kept.rest["note"]["statements"]] == ["history", "lessons"]


@pytest.mark.django_db
def test_the_names_of_parts_are_no_words_to_redact(team, owner):
    conversation = story(team)
    with pytest.raises(Invalid, match="word of the records"):
        erasing.erase_words(team=team, conversation_id=conversation.id, words="broken_approaches", by=erasing.By(owner.email, owner))


@pytest.mark.django_db
def test_an_automatic_package_that_waits_takes_the_note_in_once(team):
    conversation = story(team)
    options = preparation.options_of()
    made = preparation.prepare(team=team, conversation_id=conversation.id, options=options, automatic=True)
    assert package_refresh.take_in(conversation_id=conversation.id) is False
    write(team, conversation)
    assert package_refresh.take_in(conversation_id=conversation.id) is True
    assert package_refresh.take_in(conversation_id=conversation.id) is False
    again = Handoff.objects.get(id=made.id)
    assert f"• {LESSON}" in again.text
    assert (again.status, again.version) == ("ready", 2)


@pytest.mark.django_db(transaction=True)
def test_the_event_of_a_note_lets_the_package_take_it_in(team):
    conversation = story(team)
    made = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of(), automatic=True)
    write(team, conversation)
    assert f"• {LESSON}" in Handoff.objects.get(id=made.id).text


@pytest.mark.django_db
def test_a_reference_still_expands_when_its_note_is_gone(team):
    conversation = story(team)
    write(team, conversation)
    made = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    StoredNote.objects.all().delete()
    told = Caller.of(team).get(f"/handoffs/{made.id}/expand", ref="n1", level="detailed").json()
    assert (told["kind"], told["record"]["part"], told["record"]["text"]) == ("note", "lessons", LESSON)
