"""Recording: idempotent, in order, counted, refused where it must be."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from continuity.core.errors import Conflict, Invalid, NotFound, SessionExpired, SessionInvalidated, TooLarge, TooMany, VersionMismatch
from continuity.models import Conversation, ConversationStatus, Event, Message
from continuity.services.jobs import broker
from continuity.services.recording import conversations, expiry
from continuity.transcripts.base.model import Usage
from tests.words import answered, said


@pytest.fixture
def conversation(team):
    return conversations.create(team=team, title="Importer", source_tool="test", max_context_tokens=1000)


def append(conversation, *messages, **more):
    return conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages, **more)


def test_it_works(conversation):
    done = append(conversation, said("Build the importer."), answered("On it."))
    assert done.seqs == (1, 2)
    assert done.added == 2
    conversation.refresh_from_db()
    assert conversation.last_seq == conversation.message_count == 2
    assert conversation.turn_count == 1
    assert conversation.total_tokens > 0


def test_appending_again_adds_nothing(conversation):
    words = said("Build it."), answered("Done.")
    append(conversation, *words)
    again = append(conversation, *words, said("Next?"))
    assert again.seqs == (1, 2, 3)
    assert again.added == 1
    assert Message.objects.filter(conversation=conversation).count() == 3


def test_the_same_message_twice_in_one_batch_is_one(conversation):
    word = said("Build it.")
    done = append(conversation, word, word)
    assert (done.seqs, done.added) == ((1, 1), 1)
    assert (done.conversation.message_count, done.conversation.turn_count) == (1, 1)
    assert done.conversation.total_tokens == Message.objects.get(conversation=conversation).tokens
    assert Event.objects.get(name="messages.appended").payload["added"] == 1


def test_stored_parts_come_back_as_they_were(conversation):
    word = said('Tab\t, quote " and emoji 🧵', cwd="/srv", branch="main")
    append(conversation, word)
    stored = Message.objects.get(conversation=conversation).as_transcript()
    assert stored.parts == word.parts
    assert (stored.cwd, stored.branch) == ("/srv", "main")


@pytest.mark.django_db(transaction=True)
def test_two_writers_at_once_leave_no_gap_and_no_double(team):
    conversation = conversations.create(team=team)
    shared = [said(f"shared {n}") for n in range(20)]

    def write(name: str) -> None:
        for number, word in enumerate(shared):
            append(conversation, word, said(f"{name} {number}", external_id=f"{name}{number}"))
        connection.close()

    threads = [threading.Thread(target=write, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    seqs = list(Message.objects.filter(conversation=conversation).values_list("seq", flat=True))
    assert seqs == list(range(1, 61))
    conversation.refresh_from_db()
    assert conversation.message_count == 60


def test_provider_usage_is_the_number_shown(conversation):
    append(conversation, said("x"), answered("y", usage=Usage(input=800, output=60), usage_id="m1", model="gpt-5"))
    conversation.refresh_from_db()
    assert conversation.context_tokens == 860
    assert conversation.utilization == pytest.approx(0.86)
    assert conversation.model == "gpt-5"


def test_crossing_a_threshold_is_told_once(conversation):
    append(conversation, answered("y", usage=Usage(input=860), usage_id="m1"))
    append(conversation, answered("z", usage=Usage(input=870), usage_id="m2"))
    crossed = Event.objects.filter(name="conversation.threshold_crossed")
    assert [event.payload["threshold"] for event in crossed] == [0.85]


def test_usage_above_the_window_shows_as_full(conversation):
    append(conversation, answered("y", usage=Usage(input=5000), usage_id="m1"))
    conversation.refresh_from_db()
    assert conversation.utilization == 1.0


def test_secrets_are_marked_and_the_original_kept(conversation):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    append(conversation, said(f"The token is {token}."))
    stored = Message.objects.get(conversation=conversation)
    assert token in stored.parts[0]["text"]
    span = stored.secrets[0]
    assert stored.parts[0]["text"][span["start"] : span["end"]] == token


def test_rewound_messages_stay_and_are_marked(conversation):
    words = [said(f"m{n}") for n in range(4)]
    append(conversation, *words)
    Conversation.objects.filter(id=conversation.id).update(folded_seq=4)
    append(conversation, said("instead"), abandoned=[words[2].external_id, words[3].external_id])
    conversation.refresh_from_db()
    marked = Message.objects.filter(conversation=conversation, abandoned=True).values_list("seq", flat=True)
    assert list(marked) == [3, 4]
    assert conversation.refold_from == 3


def test_another_team_finds_nothing(conversation, other_team):
    with pytest.raises(NotFound):
        conversations.get(team=other_team, conversation_id=conversation.id)
    with pytest.raises(NotFound):
        conversations.append(team=other_team, conversation_id=conversation.id, messages=[said("hi")])


def test_a_source_is_recorded_once_per_team(team, other_team):
    conversations.create(team=team, source_tool="claude-code", external_id="s1")
    conversations.create(team=other_team, source_tool="claude-code", external_id="s1")
    with pytest.raises(Conflict):
        conversations.create(team=team, source_tool="claude-code", external_id="s1")


def test_fr004a_an_invalidated_conversation_refuses_messages(conversation):
    conversations.invalidate(team=conversation.team, conversation_id=conversation.id)
    with pytest.raises(SessionInvalidated, match="Session invalidated") as caught:
        append(conversation, said("hello?"))
    assert caught.value.status == 410


def test_invalidating_twice_is_once(conversation):
    for _ in range(2):
        conversations.invalidate(team=conversation.team, conversation_id=conversation.id)
    assert Event.objects.filter(name="conversation.invalidated").count() == 1


def test_fr004_a_conversation_whose_time_is_over_is_marked_and_kept(conversation):
    append(conversation, said("hello"))
    assert expiry.expire_lapsed(now=timezone.now() + timedelta(days=8)) == 1
    conversation.refresh_from_db()
    assert conversation.status == ConversationStatus.EXPIRED
    assert Message.objects.filter(conversation=conversation).count() == 1
    with pytest.raises(SessionExpired):
        append(conversation, said("more"))


def test_fr005_a_stale_writer_is_refused(conversation):
    changed = conversations.change(team=conversation.team, conversation_id=conversation.id, changes={"title": "New"}, version=1)
    assert changed.title == "New"
    with pytest.raises(VersionMismatch) as caught:
        conversations.change(team=conversation.team, conversation_id=conversation.id, changes={"title": "Old"}, version=1)
    assert caught.value.data == {"current": 2, "given": 1}


def test_only_editable_fields_change(conversation):
    with pytest.raises(Invalid, match="team"):
        conversations.change(team=conversation.team, conversation_id=conversation.id, changes={"team": None})


@pytest.mark.parametrize("life", [timedelta(minutes=10), timedelta(days=31)])
def test_fr004_a_life_out_of_bounds_is_refused(team, life):
    with pytest.raises(Invalid, match="expires_at"):
        conversations.create(team=team, expires_at=timezone.now() + life)


def test_the_hourly_limit_names_itself(team, settings):
    settings.CONTINUITY_MAX_CONVERSATIONS_PER_HOUR = 2
    conversations.create(team=team)
    conversations.create(team=team)
    with pytest.raises(TooMany, match="2 conversations"):
        conversations.create(team=team)


def test_a_batch_over_the_limit_is_refused_whole(conversation, settings):
    settings.CONTINUITY_MAX_BATCH_MESSAGES = 2
    with pytest.raises(TooLarge, match="2 messages"):
        append(conversation, *[said("x") for _ in range(3)])
    assert not Message.objects.filter(conversation=conversation).exists()


@pytest.mark.parametrize("distil", [True, False])
def test_a_worker_is_asked_to_distil_unless_the_caller_does(conversation, django_capture_on_commit_callbacks, distil):
    with django_capture_on_commit_callbacks(execute=True):
        conversations.append(team=conversation.team, conversation_id=conversation.id, messages=[said("Go on.")], distil=distil)
    asked = broker.client().exists(f"continuity:once:continuity.distil:('{conversation.id}',)")
    assert bool(asked) is distil
