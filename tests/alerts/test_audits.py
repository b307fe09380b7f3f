"""Alerts about conversations whose audit differs: raised once, over when an audit agrees, safe to be told twice."""

import logging

from continuity.models import Anchor, Event
from diagnostics import handlers
from diagnostics.models import Alert
from tests.handoffs.story import story
from tests.metrics.test_auditing import audit, prepare


def tell(name):
    for event in Event.objects.filter(name=name).order_by("created_at", "id"):
        (handlers.alert_of_differences if name == "audit.differed" else handlers.end_alert_of_differences)(event)


def spoiled(conversation):
    anchors = list(Anchor.objects.filter(conversation=conversation))
    Anchor.objects.filter(conversation=conversation).delete()
    return anchors


def test_it_works(team, caplog, django_capture_on_commit_callbacks):
    conversation = story(team)
    prepare(conversation)
    spoiled(conversation)
    report = audit(conversation)
    with caplog.at_level(logging.ERROR, "continuity.alerts"), django_capture_on_commit_callbacks(execute=True):
        tell("audit.differed")
    alert = Alert.objects.get()
    assert (alert.team, alert.subject_id, alert.rule, alert.severity) == (team, conversation.id, "audit_differs", "error")
    assert alert.message == f"{report.differing} differences in audit {report.id}"
    assert Event.objects.get(name="alert.raised").payload["conversation_id"] == str(conversation.id)
    assert sum("differs from what its messages give" in record.message for record in caplog.records) == 1


def test_it_is_raised_once_until_an_audit_agrees(team):
    conversation = story(team)
    prepare(conversation)
    lost = spoiled(conversation)
    for _ in range(2):
        audit(conversation)
        tell("audit.differed")
    assert Alert.objects.count() == 1
    Anchor.objects.bulk_create(lost)
    assert audit(conversation).differing == 0
    tell("audit.agreed")
    assert not Alert.objects.open().exists()
    spoiled(conversation)
    audit(conversation)
    handlers.alert_of_differences(Event.objects.filter(name="audit.differed").latest("created_at"))
    assert Alert.objects.open().count() == 1


def test_an_older_agreement_that_is_told_late_ends_nothing(team):
    conversation = story(team)
    prepare(conversation)
    audit(conversation)
    spoiled(conversation)
    audit(conversation)
    tell("audit.differed")
    tell("audit.agreed")
    assert Alert.objects.open().count() == 1


def test_a_conversation_that_was_erased_meanwhile_is_not_told_of(team):
    conversation = story(team)
    prepare(conversation)
    spoiled(conversation)
    audit(conversation)
    event = Event.objects.get(name="audit.differed")
    conversation.delete()
    handlers.alert_of_differences(event)
    assert not Alert.objects.exists()
