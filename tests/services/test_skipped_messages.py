"""A message that can't be read is passed over, told of, and read again: it stops nothing else."""

import json
import logging

import pytest
from django.utils import timezone

from continuity.knowledge import EPOCH, versions
from continuity.models import (
    Anchor,
    CompressedSegment,
    Conversation,
    Event,
    FileTouch,
    FoldCheckpoint,
    FoldState,
    Job,
    Message,
    Segment,
    SkippedMessage,
    Task,
)
from continuity.segments.message_units import units_of as units_of_segment
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.services.segments import segments
from diagnostics import handlers
from diagnostics.models import Alert, AuditReport
from diagnostics.services import alerts, auditing
from handoffs.models import HandoffStatus
from handoffs.services.erasure import erasing
from handoffs.services.packages import preparation, probe_bank
from tests.poison import POISON, QUOTED, poison_knowledge, poison_probes, poison_segments
from tests.segments.sessions import IMPORTER, MAPS
from tests.services.test_fold_runner import record, talk
from tests.web.test_conversation import at, text
from tests.web.world import browser
from tests.words import answered, said

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
RULE, LATER = "Never change the public API of the client.", "Never skip the tests."
WORDS = f"Always ask {POISON} before a deployment."


@pytest.fixture
def poison(monkeypatch):
    """Every reader raises on some words; called again, none does."""
    for each in (poison_knowledge, poison_segments, poison_probes):
        each(monkeypatch)
    return monkeypatch.undo


@pytest.fixture
def conversation(team):
    conversation = conversations.create(team=team)
    record(conversation, [said(RULE), answered("I will not."), said(WORDS), said(LATER)])
    return conversation


def found(conversation):
    """All that folding stored, but ids and times."""
    fold = FoldState.objects.get(conversation=conversation)
    rows = [
        Anchor.objects.filter(conversation=conversation)
        .order_by("key")
        .values_list("text", "state", "settled_seq", "importance", "source_seq"),
        Task.objects.filter(conversation=conversation).order_by("key").values_list("description", "status", "first_seq", "last_seq"),
        FileTouch.objects.filter(conversation=conversation)
        .order_by("path", "action", "epoch")
        .values_list("path", "action", "count", "last_seq"),
        Segment.objects.filter(conversation=conversation)
        .order_by("first_seq")
        .values_list("first_seq", "last_seq", "topic", "tokens", "closed"),
    ]
    return fold.through_seq, fold.state, fold.segment, fold.curve, fold.outline, *map(list, rows)


def rows(conversation):
    return set(SkippedMessage.objects.filter(conversation=conversation).values_list("seq", "reader", "error"))


def tell():
    for event in Event.objects.filter(name="messages.skipped").order_by("created_at", "id"):
        handlers.alert_of_skipped_messages(event)


def audit(conversation):
    job = auditing.submit(team=conversation.team, conversation_id=conversation.id, handoff_id=None)
    jobs.run(job_id=job.id)
    return Job.objects.get(id=job.id)


def test_it_works(conversation, poison, caplog):
    with caplog.at_level(logging.WARNING):
        probe_bank.gather(conversation_id=conversation.id)
    texts = set(Anchor.objects.filter(conversation=conversation).values_list("text", flat=True))
    assert texts == {RULE, LATER}
    assert rows(conversation) == {(3, "knowledge", "ValueError"), (3, "segments", "ValueError"), (3, "probes", "ValueError")}
    assert Conversation.objects.get(id=conversation.id).folded_seq == 4
    told = Event.objects.filter(name="messages.skipped").values_list("payload", flat=True)
    assert {each["seq"] for payload in told for each in payload["skipped"]} == {3}
    assert "Message 3 could not be read for knowledge" in caplog.text
    for said_of_it in (caplog.text, json.dumps(list(told)), *SkippedMessage.objects.values_list("place", flat=True)):
        assert POISON not in said_of_it


def test_its_page_says_so(conversation, poison, owner):
    probe_bank.gather(conversation_id=conversation.id)
    page = text(browser(owner).get(at(conversation)))
    assert "Message 3 could not be read (ValueError). It is kept and shown, but nothing was taken from it." in page
    assert WORDS in text(browser(owner).get(at(conversation) + "/messages"))


def test_of_many_the_page_names_the_first(conversation, poison, owner):
    record(conversation, [said(f"{WORDS} Part {number}.") for number in range(20)])
    fold_runner.catch_up(conversation_id=conversation.id)
    page = text(browser(owner).get(at(conversation)))
    assert page.count("could not be read (ValueError)") == 5
    assert "more that could not be read." in page


def test_a_package_is_prepared_of_the_rest(conversation, poison):
    handoff = preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=preparation.options_of())
    assert handoff.status == HandoffStatus.READY
    assert RULE in handoff.text and LATER in handoff.text


@pytest.mark.parametrize("steps", [pytest.param(40, marks=pytest.mark.long), 250])
def test_steps_make_no_difference(team, poison, steps):
    messages = [said(WORDS) if number % 97 == 5 else message for number, message in enumerate(talk(600))]
    whole, parts = conversations.create(team=team), conversations.create(team=team)
    record(whole, messages)
    fold_runner.catch_up(conversation_id=whole.id)
    for start in range(0, 600, steps):
        record(parts, messages[start : start + steps])
        fold_runner.catch_up(conversation_id=parts.id)
    assert found(parts) == found(whole)
    assert rows(parts) == rows(whole)
    assert len(rows(whole)) == 2 * 7


@pytest.mark.long
def test_checkpoints_and_rewinds_make_no_difference(team, poison):
    messages = [said(WORDS) if number in (3, EPOCH - 1, EPOCH + 7) else message for number, message in enumerate(talk(EPOCH + 60))]
    rewound, straight = conversations.create(team=team), conversations.create(team=team)
    record(straight, messages)
    fold_runner.catch_up(conversation_id=straight.id)
    record(rewound, messages)
    fold_runner.catch_up(conversation_id=rewound.id)
    assert FoldCheckpoint.objects.filter(conversation=rewound).exists()
    fold_runner.rewind(conversation=rewound, to=EPOCH + 20)
    assert rows(rewound) < rows(straight)
    fold_runner.catch_up(conversation_id=rewound.id)
    assert found(rewound)[:2] == found(straight)[:2]
    assert rows(rewound) == rows(straight)


def test_mended_rules_clear_the_row_and_the_alert(conversation, poison, monkeypatch, django_capture_on_commit_callbacks):
    probe_bank.gather(conversation_id=conversation.id)
    with django_capture_on_commit_callbacks(execute=True):
        tell()
    alert = Alert.objects.get()
    assert (alert.rule, alert.subject_id, alert.over_at) == ("message_skipped", conversation.id, None)
    assert alert.message.startswith("message 3: ValueError at poison.py:")
    tell()
    alerts.settle(now=timezone.now())
    assert Alert.objects.open().count() == 1
    fold_runner.rewind(conversation=conversation, to=1)
    alerts.settle(now=timezone.now())
    assert Alert.objects.open().count() == 1  # it is still being read again
    probe_bank.gather(conversation_id=conversation.id)
    tell()
    assert Alert.objects.count() == 1  # passed over once more: known already
    poison()
    monkeypatch.setattr(versions, "RULES_VERSION", versions.RULES_VERSION + 1)
    assert fold_runner.refold_outdated(limit=5) == 1
    probe_bank.gather(conversation_id=conversation.id)
    assert rows(conversation) == set()
    assert Anchor.objects.filter(conversation=conversation, text=WORDS).exists()
    alerts.settle(now=timezone.now())
    assert not Alert.objects.open().exists()


def test_an_audit_knows_of_it(conversation, poison):
    probe_bank.gather(conversation_id=conversation.id)
    assert audit(conversation).result["differences"] == 0
    poison()  # mended, and not folded again yet
    assert audit(conversation).result["differences"] == 0
    assert not Event.objects.filter(name="audit.differed").exists()


def test_an_audit_that_cannot_read_says_so_instead_of_a_difference(conversation, monkeypatch):
    probe_bank.gather(conversation_id=conversation.id)
    poison_knowledge(monkeypatch)
    job = audit(conversation)
    assert "Message 3 could be read when it was folded and can't be now (ValueError)" in job.error
    assert not AuditReport.objects.exists()
    assert not Event.objects.filter(name="audit.differed").exists()


def test_it_goes_with_the_conversation_and_is_seen_by_its_team_only(conversation, poison, other_team, owner):
    probe_bank.gather(conversation_id=conversation.id)
    assert SkippedMessage.objects.visible_to(conversation.team).exists()
    assert not SkippedMessage.objects.visible_to(other_team).exists()
    erasing.erase_conversation(team=conversation.team, conversation_id=conversation.id, by=erasing.By(owner.email, owner))
    assert not SkippedMessage.objects.exists()
    assert not Message.objects.exists()


def test_what_no_summary_tells_is_a_row_too(team, monkeypatch):
    read = units_of_segment

    def units_of(messages, anchors):
        if any(POISON in part.text for _, message in messages for part in message.parts):
            raise ValueError(QUOTED)
        return read(messages, anchors)

    monkeypatch.setattr("continuity.segments.levels.units_of", units_of)
    conversation = conversations.create(team=team)
    record(conversation, [said(RULE), answered("I will not."), said(WORDS), *IMPORTER, *MAPS])
    fold_runner.catch_up(conversation_id=conversation.id)
    assert segments.summarise_pending(conversation_id=conversation.id) > 0
    assert rows(conversation) == {(3, "summaries", "ValueError")}
    assert "the summaries leave it out" in str(SkippedMessage.objects.get(conversation=conversation))
    kept = CompressedSegment.objects.filter(segment__conversation=conversation, segment__first_seq=1)
    assert any(RULE in each.content for each in kept)
    monkeypatch.undo()
    fold_runner.rewind(conversation=conversation, to=1)
    assert rows(conversation) == set()
