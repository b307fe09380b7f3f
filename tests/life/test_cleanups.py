"""What an invalidated conversation holds is cleared away: at once, once more, then at growing pauses, and a person is told."""

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from continuity.core.errors import SessionInvalidated
from continuity.models import Cleanup, ConversationStatus, Event, Job, JobStatus
from continuity.services.erasure import cleanups
from continuity.services.events import relay
from continuity.services.jobs import broker, jobs
from continuity.services.recording import conversations, imports
from diagnostics import health_probe
from tests.words import said


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path, monkeypatch):
    settings.MEDIA_ROOT = tmp_path
    monkeypatch.setattr(health_probe, "SEEN_FOR", 0.0)
    return tmp_path


@pytest.fixture
def conversation(team):
    return conversations.create(team=team)


@pytest.fixture
def upload(conversation, uploads):
    """An import that waits for its turn, with its file."""
    jobs.submit(team=conversation.team, kind=imports.KIND, arguments={"file": "waiting"}, conversation=conversation)
    (uploads / "waiting").write_text("words")
    return uploads / "waiting"


def invalidate(conversation):
    conversations.invalidate(team=conversation.team, conversation_id=conversation.id)
    return Cleanup.objects.get(conversation=conversation)


def block(upload):
    """A folder in the file's place, which can't be removed as a file."""
    upload.unlink()
    (upload / "inside").mkdir(parents=True)


def fail_until(cleanup, attempts, now):
    """Tries as the sweeps do, each when it is due, until so many attempts have failed. Gives the pauses in seconds."""
    pauses = []
    while cleanup.attempts < attempts:
        assert cleanups.sweep(now=now) + cleanups.sweep_pending(now=now) == 1
        cleanup.refresh_from_db()
        pauses.append((cleanup.due_at - now).total_seconds())
        now = cleanup.due_at
    return pauses, now


def test_it_works(conversation, upload):
    cleanup = invalidate(conversation)
    assert cleanups.sweep(now=timezone.now()) == 1
    cleanup.refresh_from_db()
    assert cleanup.done_at is not None
    assert not upload.exists()
    assert Job.objects.get().status == JobStatus.FAILED
    conversation.refresh_from_db()
    assert conversation.status == ConversationStatus.INVALIDATED
    assert Event.objects.filter(name="conversation.cleaned_up", subject_id=conversation.id).count() == 1


@pytest.mark.django_db(transaction=True)
def test_its_entries_in_the_event_stream_go_and_those_of_others_stay(conversation, team):
    other = conversations.create(team=team)

    def told():
        entries: Any = broker.client().xrange(relay.STREAM)
        return [entry[b"subject"].decode() for _id, entry in entries]

    assert {str(conversation.id), str(other.id)} <= set(told())
    cleanup = invalidate(conversation)
    cleanups._clear(cleanup.conversation)
    assert str(conversation.id) not in told()
    assert str(other.id) in told()


def test_fr004a_cleaning_up_is_due_at_once_and_repeated_after_ten_seconds(conversation, upload):
    cleanup, now = invalidate(conversation), timezone.now()
    assert cleanup.due_at <= now
    block(upload)
    cleanups.sweep(now=now)
    assert cleanups.sweep(now=now + timedelta(seconds=9)) == 0
    conversation.refresh_from_db()
    assert conversation.status == ConversationStatus.INVALIDATED
    assert cleanups.sweep(now=now + timedelta(seconds=10)) == 1
    conversation.refresh_from_db()
    assert conversation.status == ConversationStatus.INVALIDATED_PENDING_CLEANUP


def test_fr004a_then_pauses_grow_to_an_hour(conversation, upload):
    cleanup = invalidate(conversation)
    block(upload)
    pauses, _ = fail_until(cleanup, 8, timezone.now())
    assert pauses == [10, 300, 600, 1200, 2400, 3600, 3600, 3600]


def test_fr004a_ten_failures_are_told_once_and_seen_in_health(conversation, upload, caplog):
    cleanup = invalidate(conversation)
    block(upload)
    _, now = fail_until(cleanup, 9, timezone.now())
    assert not Event.objects.filter(name="cleanup.failed").exists()
    with caplog.at_level(logging.WARNING):
        fail_until(cleanup, 11, now)
    assert [record.levelname for record in caplog.records if record.name == cleanups.logger.name].count("CRITICAL") == 1
    assert "attempt 10" in caplog.text
    told = Event.objects.get(name="cleanup.failed")
    assert (told.critical, told.payload) == (True, {"attempts": 10})


@pytest.mark.django_db(transaction=True)
def test_health_counts_what_could_not_be_cleaned_up(conversation):
    cleanup = invalidate(conversation)
    assert Client().get("/health").json()["failed_cleanups"] == 0
    Cleanup.objects.filter(id=cleanup.id).update(alerted_at=timezone.now(), done_at=None)
    told = Client().get("/health").json()
    assert (told["failed_cleanups"], told["status"]) == (1, "degraded")


def test_when_it_works_in_the_end_the_conversation_is_plainly_invalidated(conversation, upload):
    cleanup = invalidate(conversation)
    block(upload)
    _, now = fail_until(cleanup, 3, timezone.now())
    (upload / "inside").rmdir()
    upload.rmdir()
    assert cleanups.sweep_pending(now=now) == 1
    conversation.refresh_from_db()
    cleanup.refresh_from_db()
    assert (conversation.status, cleanup.error) == (ConversationStatus.INVALIDATED, "")
    assert cleanups.sweep_pending(now=now + timedelta(days=1)) == 0


@pytest.mark.usefixtures("away")
def test_without_the_broker_it_is_tried_again(conversation):
    cleanup = invalidate(conversation)
    cleanups.sweep(now=timezone.now())
    cleanup.refresh_from_db()
    assert (cleanup.done_at, cleanup.error.partition(":")[0]) == (None, "TracesRemain")


@pytest.fixture
def away(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    broker.client.cache_clear()
    yield
    broker.client.cache_clear()
    broker._breaker.close()


def test_fr004a_a_pending_one_takes_no_messages(conversation, upload):
    cleanup = invalidate(conversation)
    block(upload)
    fail_until(cleanup, 2, timezone.now())
    with pytest.raises(SessionInvalidated, match="Session invalidated") as caught:
        conversations.append(team=conversation.team, conversation_id=conversation.id, messages=[said("hello?")])
    assert caught.value.status == 410
