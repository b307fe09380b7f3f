"""Owners are told a day before something of theirs expires, once."""

import logging
from datetime import timedelta

import pytest
from django.utils import timezone

from continuity.models import Conversation, Event, Notice
from continuity.services.erasure import notices, retention
from continuity.services.recording import conversations
from continuity.tasks import expire_conversations
from handoffs import queries
from handoffs.models import Handoff
from handoffs.services.chains import resumption
from handoffs.services.packages import cleanup, lifecycle, preparation
from handoffs.services.packages.authors import Author
from handoffs.tasks import delete_expired
from tests.handoffs.story import story

NEARLY = timedelta(hours=23)


@pytest.fixture
def handoff(team, owner):
    made = preparation.prepare(team=team, conversation_id=story(team, owner=owner).id, options=preparation.options_of())
    Conversation.objects.update(expires_at=timezone.now() + timedelta(days=20))
    return made


def expiring(handoff, left=NEARLY):
    Handoff.objects.filter(id=handoff.id).update(expires_at=timezone.now() + left)


def test_it_works(handoff, team, owner, teammate, caplog):
    expiring(handoff)
    with caplog.at_level(logging.WARNING):
        delete_expired()
        delete_expired()
    [notice] = queries.notices_for(team, owner, timezone.now())
    assert (notice.kind, notice.subject_id, notice.conversation_id, notice.owner) == (
        "handoff.expiring",
        handoff.id,
        handoff.conversation_id,
        owner,
    )
    assert Event.objects.filter(name="handoff.expiring", subject_id=handoff.id).count() == 1
    assert [record.message for record in caplog.records if "[CONT:TTL]" in record.message and str(handoff.id) in record.message]
    assert queries.notices_for(team, teammate, timezone.now()) == []
    assert len(queries.notices_for(team, None, timezone.now())) == 1


def test_fr004_a_conversation_is_warned_of_too_and_again_only_when_it_was_given_more_time(handoff, team, owner):
    ending = handoff.conversation
    Conversation.objects.filter(id=ending.id).update(expires_at=timezone.now() + NEARLY)
    expire_conversations()
    expire_conversations()
    assert Event.objects.filter(name="conversation.expiring", subject_id=ending.id).count() == 1
    assert [notice.subject_id for notice in queries.notices_for(team, owner, timezone.now())] == [ending.id]
    longer = {"expires_at": timezone.now() + timedelta(days=9)}
    conversations.change(team=team, conversation_id=ending.id, changes=longer)
    assert queries.notices_for(team, owner, timezone.now()) == []
    assert notices.warn_of_conversations(now=timezone.now() + timedelta(days=8, hours=12)) == 1


def test_nothing_is_said_two_days_before_nor_afterwards(handoff):
    expiring(handoff, timedelta(days=2))
    assert cleanup.warn_of_expiring(now=timezone.now()) == 0
    expiring(handoff, timedelta(seconds=-1))
    assert cleanup.warn_of_expiring(now=timezone.now()) == 0


@pytest.mark.parametrize("settled", ["resumed", "withdrawn"])
def test_what_was_settled_is_no_longer_shown_nor_warned_of(handoff, team, owner, settled):
    expiring(handoff)
    assert cleanup.warn_of_expiring(now=timezone.now()) == 1
    if settled == "resumed":
        resumption.resume(team=team, handoff_id=handoff.id)
    else:
        lifecycle.withdraw(team=team, handoff_id=handoff.id, author=Author(owner))
    assert queries.notices_for(team, owner, timezone.now()) == []
    expiring(handoff, timedelta(hours=22))
    assert cleanup.warn_of_expiring(now=timezone.now()) == 0


def test_old_notices_are_purged(handoff):
    expiring(handoff)
    cleanup.warn_of_expiring(now=timezone.now())
    retention.purge(now=timezone.now() + timedelta(days=5))
    assert Notice.objects.exists()
    retention.purge(now=timezone.now() + timedelta(days=9))
    assert not Notice.objects.exists()


def test_reading_them_takes_three_queries(handoff, team, owner, django_assert_max_num_queries):
    expiring(handoff)
    cleanup.warn_of_expiring(now=timezone.now())
    with django_assert_max_num_queries(3):
        queries.notices_for(team, owner, timezone.now())
