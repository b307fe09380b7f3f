"""A conversation that nobody writes to is idle, and goes on with the next message."""

from datetime import timedelta
from uuid import RFC_4122, UUID

import pytest
from django.utils import timezone

from continuity.models import Conversation, ConversationStatus, Event, Message
from continuity.services.recording import conversations, expiry
from tests.words import said


@pytest.fixture
def conversation(team):
    opened = conversations.create(team=team)
    conversations.append(team=team, conversation_id=opened.id, messages=[said("Build it.")])
    return opened


def later(settings):
    return timezone.now() + timedelta(minutes=settings.SESSION_IDLE_MINUTES, seconds=1)


def names(conversation):
    return list(Event.objects.filter(subject_id=conversation.id).order_by("created_at").values_list("name", flat=True))


def test_it_works(conversation, settings):
    assert expiry.mark_idle(now=later(settings)) == 1
    conversation.refresh_from_db()
    assert conversation.status == ConversationStatus.IDLE
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=[said("Go on.")])
    conversation.refresh_from_db()
    assert conversation.status == ConversationStatus.ACTIVE
    assert Message.objects.filter(conversation=conversation).count() == 2
    assert names(conversation)[-3:] == ["conversation.idled", "conversation.reactivated", "messages.appended"]


def test_one_that_is_written_to_stays_active(conversation):
    assert expiry.mark_idle(now=timezone.now()) == 0


def test_the_time_is_configurable(conversation, settings):
    settings.SESSION_IDLE_MINUTES = 5
    assert expiry.mark_idle(now=timezone.now() + timedelta(minutes=4)) == 0
    assert expiry.mark_idle(now=timezone.now() + timedelta(minutes=6)) == 1


def test_becoming_idle_moves_neither_version_nor_place_in_lists(conversation, settings):
    before = Conversation.objects.get(id=conversation.id)
    expiry.mark_idle(now=later(settings))
    after = Conversation.objects.get(id=conversation.id)
    assert (after.version, after.updated_at) == (before.version, before.updated_at)


def test_fr004_an_idle_one_still_expires_and_is_kept(conversation, settings):
    expiry.mark_idle(now=later(settings))
    assert expiry.expire_lapsed(now=timezone.now() + timedelta(days=8)) == 1
    conversation.refresh_from_db()
    assert conversation.status == ConversationStatus.EXPIRED
    assert Message.objects.filter(conversation=conversation).count() == 1
    assert expiry.mark_idle(now=timezone.now() + timedelta(days=9)) == 0


def test_fr004_a_conversation_lives_seven_days_unless_it_is_told_otherwise(team):
    opened = conversations.create(team=team)
    assert timedelta(days=7) - timedelta(seconds=5) < opened.expires_at - opened.created_at < timedelta(days=7, seconds=5)


@pytest.mark.parametrize("life", [timedelta(hours=1), timedelta(days=30)])
def test_fr004_the_shortest_and_the_longest_life_are_taken(team, life):
    end = timezone.now() + life
    assert conversations.create(team=team, expires_at=end).expires_at == end


def test_fr001_ids_are_random(team):
    made = [conversations.create(team=team).id for _ in range(20)]
    assert all(isinstance(each, UUID) and each.version == 4 and each.variant == RFC_4122 for each in made)
    assert len({each.int >> 64 for each in made}) == 20
