"""Two writers at once (FR-005): who names a version is refused, who does not waits, and wins in the end."""

import logging
import threading
import time
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from django.db.models import F

from continuity.core.errors import SessionInvalidated, VersionMismatch
from continuity.models import Conversation, ConversationStatus, Event
from continuity.services.recording import conversations
from tests.metrics.reading import value
from tests.platform.locks import waiting_for_locks

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE_SECONDS = 60


@pytest.fixture
def conversation(team):
    return conversations.create(team=team, title="Old")


held = threading.Event()


@pytest.fixture
def pauses(monkeypatch):
    """The seconds before each retry. They last until the other writer holds the row again: a busy machine may be slow with that."""
    found = []

    def pause(seconds):
        found.append(seconds)
        assert held.wait(PATIENCE_SECONDS)

    monkeypatch.setattr(time, "sleep", pause)
    return found


@contextmanager
def another_writer(conversation, times=1000, **changes):
    """Changes the row under whoever writes to it, each time that he waits for it: at most `times` times."""
    over = threading.Event()

    def write():
        try:
            for _ in range(times):
                if over.is_set():
                    return
                with transaction.atomic():
                    Conversation.objects.filter(id=conversation.id).update(version=F("version") + 1, **changes)
                    held.set()
                    end = time.monotonic() + PATIENCE_SECONDS
                    while not (over.is_set() or waiting_for_locks()) and time.monotonic() < end:
                        over.wait(0.002)
                    held.clear()
        finally:
            connection.close()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        assert held.wait(PATIENCE_SECONDS)
        yield
    finally:
        over.set()
        thread.join(PATIENCE_SECONDS)
        held.clear()


def change(conversation, **more):
    return conversations.change(team=conversation.team, conversation_id=conversation.id, changes={"title": "New"}, **more)


def test_it_works(conversation):
    with another_writer(conversation, 1, branch="theirs"):
        changed = change(conversation)
    assert (changed.title, changed.branch, changed.version, changed.conflicts) == ("New", "theirs", 3, 1)
    assert not Event.objects.filter(name="conversation.conflicted").exists()


def test_fr005_after_three_retries_the_last_write_wins_and_is_told(conversation, pauses, caplog):
    with caplog.at_level(logging.WARNING), another_writer(conversation, branch="theirs"):
        changed = change(conversation)
    assert (changed.title, changed.branch, changed.conflicts) == ("New", "theirs", 4)
    assert value("optimistic_lock_conflicts") == 4
    told = Event.objects.get(name="conversation.conflicted", subject_id=conversation.id)
    assert told.payload["found"] > told.payload["read"]
    (line,) = [record.getMessage() for record in caplog.records if "the last write wins" in record.getMessage()]
    assert f"version {told.payload['read']} over version {told.payload['found']}" in line


def test_fr005_retries_are_a_tenth_of_a_second_apart(conversation, pauses):
    with another_writer(conversation):
        change(conversation)
    assert pauses == [0.1, 0.1, 0.1]


def test_one_who_names_a_version_is_refused_at_once(conversation):
    with another_writer(conversation, 1, branch="theirs"), pytest.raises(VersionMismatch) as caught:
        change(conversation, version=1)
    assert (caught.value.status, caught.value.data) == (412, {"current": 2, "given": 1})
    assert Conversation.objects.get(id=conversation.id).title == "Old"


def test_no_write_wins_over_an_invalidation(conversation):
    with another_writer(conversation, 1, status=ConversationStatus.INVALIDATED), pytest.raises(SessionInvalidated):
        change(conversation)
    assert Conversation.objects.get(id=conversation.id).title == "Old"
