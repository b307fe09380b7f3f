"""Telling segments while something is erased: who holds the segments goes first, and nobody brings erased words back."""

import threading
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from django.utils import timezone

from continuity.core.errors import NotFound
from continuity.core.redaction import Redaction
from continuity.models import CompressedSegment, Segment
from continuity.segments import Level
from continuity.services.erasure import redact_messages, redact_rows
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.services.segments import segment_rows, segments
from handoffs.services.erasure import erasing
from tests.platform.locks import waiting_for_locks
from tests.segments.sessions import IMPORTER, MAPS

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = "importer"


@pytest.fixture
def conversation(team):
    made = conversations.create(team=team)
    conversations.append(team=team, conversation_id=made.id, messages=[*IMPORTER, *MAPS])
    fold_runner.catch_up(conversation_id=made.id)
    assert Segment.objects.filter(conversation=made, closed=True).exists()
    CompressedSegment.objects.all().delete()
    Segment.objects.update(told_at=None)
    return made


@contextmanager
def beside(work):
    """Does `work` in another thread; gives the list in which its outcome stands once the block is left."""
    outcome = []

    def run():
        try:
            outcome.append(work())
        except NotFound as error:
            outcome.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield outcome
    finally:
        thread.join(60)
    assert not thread.is_alive()


def until_it_waits():
    event = threading.Event()
    for _ in range(4000):
        if waiting_for_locks():
            return
        event.wait(0.005)
    raise AssertionError("nobody waits for a lock")


def contents(conversation):
    return " ".join(CompressedSegment.objects.filter(segment__conversation=conversation).values_list("content", flat=True))


def redact(conversation):
    redaction = Redaction(WORDS)
    redact_messages.in_messages(redaction, conversations=[conversation.id])
    redact_rows.in_copies(redaction, conversations=[conversation.id], subjects=[])


def test_it_works(conversation):
    """Workers leave segments alone that an erasure holds, and find them again afterwards, without the words."""
    with transaction.atomic():
        segment_rows.hold(conversations=[conversation.id])
        with beside(lambda: segments.summarise_pending(conversation_id=conversation.id)) as told:
            pass
        assert told == [0]
        redact(conversation)
    assert segments.summarise_pending(conversation_id=conversation.id) > 0
    assert contents(conversation)
    assert WORDS not in contents(conversation)


def test_a_reader_who_makes_a_level_again_waits_and_reads_what_is_left(conversation):
    segment = Segment.objects.select_related("team", "conversation").filter(conversation=conversation, closed=True).earliest("first_seq")
    with beside_held(conversation, segment) as outcome:
        redact(conversation)
    assert WORDS not in outcome[0].content
    assert WORDS not in contents(conversation)


def test_a_reader_of_a_segment_that_a_rewind_took_finds_none(conversation):
    segment = Segment.objects.select_related("team", "conversation").filter(conversation=conversation, closed=True).earliest("first_seq")
    with beside_held(conversation, segment) as outcome:
        Segment.objects.filter(id=segment.id).delete()
    assert isinstance(outcome[0], NotFound)
    assert not CompressedSegment.objects.exists()


@contextmanager
def beside_held(conversation, segment):
    """While the segments are held, another thread asks for one; the block is what the holder does then."""
    with beside(lambda: held.wait(60) and segments.at_level(segment, Level.BRIEF)) as outcome, transaction.atomic():
        segment_rows.hold(conversations=[conversation.id])
        held.set()
        until_it_waits()
        yield outcome
    held.clear()


held = threading.Event()


def test_erasing_waits_for_a_worker_that_tells_and_takes_what_it_told(conversation, owner):
    by = erasing.By("owner", owner)
    of = {"team": conversation.team, "conversation_id": conversation.id, "by": by}
    segment = Segment.objects.filter(conversation=conversation, closed=True).earliest("first_seq")
    with transaction.atomic():
        Segment.objects.select_for_update().get(id=segment.id)
        with_words = {"team_id": conversation.team_id, "segment": segment, "level": 2, "expires_at": timezone.now()}
        waiting = beside(lambda: erasing.erase_words(words=WORDS, **of))
        waiting.__enter__()
        until_it_waits()
        CompressedSegment.objects.create(content=f"They built the {WORDS}.", **with_words)
    waiting.__exit__(None, None, None)
    assert WORDS not in contents(conversation)
