"""The clock is set back by an hour: every stored time lies ahead, and nothing waits for it to come."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import models, transaction
from django.utils import timezone

from continuity import tasks
from continuity.models import AuditEntry, Cleanup, Conversation, Deferral, Event, Job, JobStatus
from continuity.models.deferrals import LONGEST_PAUSE
from continuity.services.erasure import cleanups
from continuity.services.events import bus, events
from continuity.services.jobs import jobs, queueing
from continuity.services.recording import conversations
from handoffs.models import HandoffStatus
from handoffs.services.chains import resumption
from handoffs.services.packages import append_followup, preparation
from tests.handoffs.story import story
from tests.words import said

HOUR = timedelta(hours=1)


def set_back() -> None:
    """What a clock that is set back does to what was stored before; the audit log can't be changed."""
    for model in apps.get_models():
        names = [field.name for field in model._meta.concrete_fields if isinstance(field, models.DateTimeField)]
        if names and model._meta.app_label in ("continuity", "handoffs", "diagnostics") and model is not AuditEntry:
            model._default_manager.update(**{name: models.F(name) + HOUR for name in names})


@pytest.fixture
def sent(monkeypatch):
    """The tasks that were handed to the workers."""
    found: list[tuple[str, ...]] = []
    monkeypatch.setattr(queueing, "send", lambda *task: found.append(task))
    return found


def test_it_works(team):
    """A session goes on, is handed over and resumed as if nothing were."""
    conversation = story(team)
    first = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    set_back()
    added = conversations.append(team=team, conversation_id=conversation.id, messages=[said("Also keep the audit log.")])
    assert added.conversation.last_seq == conversation.last_seq + 1
    second = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    assert (second.status, second.position, second.through_seq) == (HandoffStatus.READY, first.position, added.conversation.last_seq)
    assert "Also keep the audit log." in second.text
    assert resumption.resume(team=team, handoff_id=second.id).conversation.status == "active"


def test_the_job_of_a_dead_worker_is_taken_over(team, sent):
    now = timezone.now()
    running = Job.objects.create(team=team, kind="prepare", status=JobStatus.RUNNING, lease_token=uuid4(), lease_until=now + jobs.LEASE)
    queued = Job.objects.create(team=team, kind="prepare")
    assert jobs.sweep(now=now) == 0
    set_back()
    assert jobs.sweep(now=now) == 2
    assert {task[1] for task in sent} == {str(running.id), str(queued.id)}


def test_an_event_that_nobody_delivered_is_swept(team):
    with transaction.atomic():
        events.publish(name="thing.happened", team=team)
    event = Event.objects.get(name="thing.happened")
    Event.objects.filter(id=event.id).update(dispatched_at=None, retry_at=timezone.now() + bus.LONGEST_PAUSE)
    assert bus.sweep() == 0
    set_back()
    assert bus.sweep() >= 1
    event.refresh_from_db()
    assert event.dispatched_at is not None


def test_messages_that_nobody_folded_are_swept(team):
    conversation = story(team)
    tasks.sweep()
    assert Conversation.objects.unfolded().filter(id=conversation.id).exists()
    set_back()
    tasks.sweep()
    assert not Conversation.objects.unfolded().filter(id=conversation.id).exists()


def test_cleaning_up_is_not_put_off(team):
    conversation = story(team)
    conversations.invalidate(team=team, conversation_id=conversation.id)
    Cleanup.objects.update(due_at=timezone.now() + timedelta(minutes=90), done_at=None)
    assert cleanups.sweep(now=timezone.now()) == 0
    set_back()
    assert cleanups.sweep(now=timezone.now()) == 1


def test_what_follows_from_messages_is_tried_again(team):
    conversation = story(team)
    Deferral.objects.create(kind=append_followup.KIND, subject_id=conversation.id, not_before=timezone.now() + LONGEST_PAUSE)
    assert append_followup.sweep() == 0
    set_back()
    assert append_followup.sweep() == 1
