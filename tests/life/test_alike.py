"""Rows that have the same text once words are redacted in them: erasing goes on, and nothing that was done is lost."""

import pytest
from django.db import models

from continuity.core.redaction import REDACTED
from continuity.models import Conversation, FileTouch, Message
from continuity.services.erasure import merging, redact_rows
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from handoffs.services.chains import resumption
from handoffs.services.erasure import erasing
from handoffs.services.packages import preparation
from tests.life.everywhere import tables_holding
from tests.words import called, resulted, said


@pytest.fixture
def by(owner):
    return erasing.By(owner.email, owner)


def wrote(path, call_id):
    return [called("Write", {"file_path": path, "content": "x = 1"}, call_id=call_id), resulted("ok", call_id=call_id)]


@pytest.fixture
def two(team):
    """A conversation that writes two files, whose paths differ in a name of five letters only, and its successor."""
    first = conversations.create(team=team)
    messages = [said("Export both."), *wrote("/data/Smith/export.py", "c1"), *wrote("/data/Jones/export.py", "c2")]
    conversations.append(team=team, conversation_id=first.id, messages=messages)
    fold_runner.catch_up(conversation_id=first.id)
    handoff = preparation.prepare(team=team, conversation_id=first.id, options=preparation.options_of())
    return first, resumption.resume(team=team, handoff_id=handoff.id).conversation


def test_it_works(two, by):
    first, second = two
    for name in ("Smith", "Jones"):
        erasure = erasing.erase_words(team=first.team, conversation_id=first.id, words=name, by=by)
        jobs.run(job_id=erasure.job_id)
    assert tables_holding("Smith") | tables_holding("Jones") == set()
    (carried,) = FileTouch.objects.filter(conversation=second)
    assert (carried.path, carried.count) == (f"/data/{REDACTED * 5}/export.py", 2)
    fold_runner.catch_up(conversation_id=first.id)
    assert FileTouch.objects.filter(conversation=first).exists()


def test_the_later_note_and_all_symbols_stay(team):
    conversation = conversations.create(team=team)
    of = {"team": team, "conversation": conversation, "action": "modified"}
    FileTouch.objects.create(**of, path="/a", first_seq=2, last_seq=9, count=3, note="late", symbols=["f", "g"])
    other = FileTouch.objects.create(**of, path="/b", first_seq=1, last_seq=4, count=1, note="early", symbols=["g", "h"])
    merging.change(FileTouch, other.pk, {"path": "/a"})
    kept = FileTouch.objects.get(conversation=conversation)
    assert (kept.first_seq, kept.last_seq, kept.count, kept.note, kept.symbols) == (1, 9, 4, "late", ["f", "g", "h"])


def test_sessions_and_messages_are_told_apart_by_more_black(team):
    one, other = (conversations.create(team=team, source_tool="cli", external_id=name) for name in ("Smith", "Jones"))
    for row in (one, other):
        merging.change(Conversation, row.pk, {"external_id": REDACTED * 5})
    assert set(Conversation.objects.values_list("external_id", flat=True)) == {REDACTED * 5, REDACTED * 6}
    conversations.append(team=team, conversation_id=one.id, messages=[said("a", external_id="S" * 200), said("b", external_id="J" * 200)])
    for message in Message.objects.filter(conversation=one):
        merging.change(Message, message.pk, {"external_id": REDACTED * 199 + "x"})
    assert Message.objects.filter(conversation=one).count() == 2


def test_each_constraint_on_text_that_is_redacted_is_known():
    """Whoever adds one decides here what becomes of two rows that are alike: files are merged, of all others the text is told apart."""
    found = set()
    for model, _ in redact_rows._tables():
        words = {field.attname for field in model._meta.concrete_fields if redact_rows._holds_words(field)}
        for constraint in model._meta.constraints:
            if isinstance(constraint, models.UniqueConstraint) and words & set(constraint.fields):
                found.add(constraint.name)
        assert not [field.name for field in model._meta.concrete_fields if field.unique and field.attname in words]
    assert {"file_touch_once"} <= found <= {"file_touch_once", "conversation_source_once", "artifact_subject_once"}
