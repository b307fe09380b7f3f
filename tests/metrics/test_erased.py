"""Figures and erasing: what happened is counted before the events that tell of it go."""

from datetime import timedelta

from django.db.models import Sum
from django.utils import timezone

from continuity.models import Cursor, Event
from continuity.services.jobs import jobs
from continuity.services.recording import conversations
from diagnostics.models import Series
from diagnostics.services import measurements
from handoffs.services.erasure import erasing
from tests.handoffs.story import story
from tests.words import said


def test_it_works(team, owner):
    conversation = story(team, max_context_tokens=200_000)
    measurements.catch_up()
    before = Series.objects.filter(instrument="Agents.Continuity.Utilization").aggregate(total=Sum("count"))["total"] or 0
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("One more.")])
    erasure = erasing.erase_conversation(team=team, conversation_id=conversation.id, by=erasing.By("owner", owner))
    measurements.catch_up()
    after = Series.objects.filter(instrument="Agents.Continuity.Utilization").aggregate(total=Sum("count"))["total"]
    assert after == before + 1
    jobs.run(job_id=erasure.job_id)
    left = Event.objects.filter(subject_id=conversation.id).values_list("name", flat=True)
    assert set(left) == {"conversation.erased", "erasure.completed"}


def test_erasing_is_not_complete_while_events_wait_to_be_counted(team, owner):
    conversation = story(team, max_context_tokens=200_000)
    measurements.catch_up()
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("One more.")])
    erasure = erasing.erase_conversation(team=team, conversation_id=conversation.id, by=erasing.By("owner", owner))
    jobs.run(job_id=erasure.job_id)
    erasure.refresh_from_db()
    assert erasure.completed_at is None
    measurements.catch_up()
    assert erasing.sweep(now=timezone.now() + timedelta(seconds=31)) == 1
    jobs.run(job_id=erasure.job_id)
    erasure.refresh_from_db()
    assert erasure.completed_at is not None


def test_what_nobody_counted_yet_is_not_erased_uncounted(team, owner):
    """On a new installation nobody has read before the first minute is over."""
    Cursor.objects.all().delete()
    measurements.begin()
    conversation = story(team, max_context_tokens=200_000)
    erasure = erasing.erase_conversation(team=team, conversation_id=conversation.id, by=erasing.By("owner", owner))
    assert Event.objects.filter(subject_id=conversation.id, name="messages.appended").exists()
    measurements.catch_up()
    assert Series.objects.filter(instrument="Agents.Continuity.Utilization").aggregate(total=Sum("count"))["total"] == 1
    jobs.run(job_id=erasure.job_id)
    erasure.refresh_from_db()
    assert erasure.completed_at is not None
    assert not Event.objects.filter(subject_id=conversation.id, name="messages.appended").exists()


def test_beginning_again_counts_nothing_twice(team):
    story(team)
    measurements.catch_up()
    read = Cursor.objects.get(consumer=measurements.CONSUMER).position
    measurements.begin()
    assert Cursor.objects.get(consumer=measurements.CONSUMER).position == read > 0
