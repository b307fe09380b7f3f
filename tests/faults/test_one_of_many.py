"""Twenty conversations, of which one has a poisoned message, one a package that can't be made and one a row that is held: the other
seventeen are recorded, folded, segmented, indexed and handed off in one round of the workers, as if they were alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.utils import timezone

from continuity import knowledge
from continuity import tasks as continuity_tasks
from continuity.models import CompressedSegment, Conversation, Deferral, Event, Message, Segment
from continuity.services.jobs import deferrals
from continuity.services.knowledge import fold_runner
from continuity.services.search import indexing
from continuity.services.segments import segments
from diagnostics.models import Alert
from handoffs import tasks as handoff_tasks
from handoffs.models import Handoff, ProbeBank
from handoffs.services.packages import append_followup, preparation, probe_bank
from tests.api.caller import Caller
from tests.holding import held

pytestmark = pytest.mark.django_db(transaction=True)

MARK = "the poisoned message"
COUNT = 20


@contextmanager
def no_threads() -> Iterator[None]:
    """Nothing follows from an append in its own time: all of it is left to the workers."""
    for _ in range(append_followup.THREADS):
        assert append_followup._free.acquire(timeout=60)
    try:
        yield
    finally:
        for _ in range(append_followup.THREADS):
            append_followup._free.release()


@pytest.fixture
def recorded(team) -> list[str]:
    """The ids of twenty conversations with a full window, the oldest first; the second of them has the poisoned message."""
    api = Caller.of(team)
    made = []
    with no_threads():
        for number in range(COUNT):
            session = api.open(max_context_tokens=1000)
            said: list[dict[str, Any]] = [{"role": "user", "content": "Never send real mail. Build the parser for tide tables."}]
            said += [{"role": ("assistant", "user")[turn % 2], "content": f"Line {turn}: port {7000 + turn} it is."} for turn in range(24)]
            said += [{"role": "user", "content": MARK if number == 1 else "Go on, please."}]
            said += [{"role": "assistant", "content": "On it.", "usage": {"input": 900, "output": 1}}]
            answer = api.post(f"/conversations/{session}/messages", {"messages": said})
            assert (answer.status_code, answer.json()["added"], answer.json()["decision"]["held"]) == (201, len(said), "preparing")
            made.append(session)
    long_ago = timezone.now() - timedelta(minutes=5)
    Conversation.objects.update(updated_at=long_ago)
    return made


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, recorded: list[str]) -> pytest.MonkeyPatch:
    fold, prepare = knowledge.fold, preparation.prepare

    def poisoned(state, messages):
        messages = list(messages)
        if any(MARK in part.text for _, message in messages for part in message.parts):
            raise ZeroDivisionError
        return fold(state, messages)

    def failing(**given):
        if str(given["conversation_id"]) == recorded[2]:
            raise RuntimeError
        return prepare(**given)

    monkeypatch.setattr(knowledge, "fold", poisoned)
    monkeypatch.setattr(preparation, "prepare", failing)
    return monkeypatch


def one_round(recorded: list[str]) -> None:
    """What the workers do once: the tasks that were sent, and beat's."""
    continuity_tasks.sweep()
    handoff_tasks.gather_left_probes()
    for session in recorded:
        handoff_tasks.follow_up(session)
    Segment.objects.update(created_at=timezone.now() - timedelta(minutes=1))
    continuity_tasks.sweep()
    handoff_tasks.follow_up_left()


def unindexed(table: str, *sessions: str) -> list[UUID]:
    """The rows of the conversations, or of all, whose words are not there to search by."""
    of_sessions = "AND conversation_id = ANY(%s)" if sessions else ""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT id FROM {table} WHERE words IS NULL {of_sessions}", [list(sessions)] if sessions else [])
        return [row[0] for row in cursor.fetchall()]


def is_done(session: str) -> bool:
    """Whether a conversation is folded, divided, told, indexed, asked about and handed off."""
    conversation = Conversation.objects.get(id=session)
    own = {"conversation": conversation}
    return (
        conversation.folded_seq == conversation.last_seq
        and Segment.objects.filter(**own, closed=True).exists()
        and not Segment.objects.filter(**own, closed=True, told_at=None).exists()
        and CompressedSegment.objects.filter(segment__conversation=conversation).exists()
        and not unindexed("continuity_message", session)
        and not unindexed("continuity_anchor", session)
        and ProbeBank.objects.filter(**own, through_seq=conversation.last_seq).exists()
        and Handoff.objects.filter(**own, automatic=True, status="ready").exists()
    )


def test_it_works(recorded, broken):
    locked, poisoned, failing, *others = recorded
    with held("continuity_conversation", locked):
        one_round(recorded)
        assert [session for session in others if not is_done(session)] == []
        assert len({handoff.text for handoff in Handoff.objects.all()}) == 1
        assert not is_done(poisoned) and not is_done(failing) and not is_done(locked)
    found = {(str(each.conversation_id), each.kind): each for each in Deferral.objects.all()}
    assert found[poisoned, "fold"].error.startswith("ZeroDivisionError at ")
    assert found[failing, "follow_up"].error.startswith("RuntimeError at ")
    assert "OperationalError" in found[locked, "fold"].error
    broken.undo()
    deferrals.hurry(chosen=Deferral.objects.all(), now=timezone.now())
    one_round(recorded)
    assert [session for session in recorded if not is_done(session)] == []
    assert not Deferral.objects.exists()


def test_what_fails_is_not_tried_in_each_round_and_told_of_once(recorded, broken):
    poisoned = recorded[1]
    for _ in range(3):
        continuity_tasks.sweep()
    assert Deferral.objects.get(conversation=poisoned, kind="fold").attempts == 1
    for _ in range(2 * deferrals.ALERT_AFTER):
        Deferral.objects.update(not_before=timezone.now())
        continuity_tasks.sweep()
    assert Alert.objects.filter(rule="work_fails", subject_id=poisoned).count() == 1
    assert Event.objects.filter(name="work.deferred", subject_id=poisoned).count() == 2 * deferrals.ALERT_AFTER + 1
    broken.undo()
    Deferral.objects.update(not_before=timezone.now())
    continuity_tasks.sweep()
    assert Alert.objects.get(rule="work_fails").over_at is not None


def test_the_oldest_that_fail_do_not_keep_a_sweep_from_the_rest(team, recorded, monkeypatch):
    """Of three taken at once the first three fail: the next sweep takes the next ones."""
    fold, bad = fold_runner.catch_up, set(recorded[:3])

    def some(*, conversation_id, steps=None):
        if str(conversation_id) in bad:
            raise ValueError
        return fold(conversation_id=conversation_id, steps=steps)

    monkeypatch.setattr(fold_runner, "catch_up", some)
    for number, session in enumerate(recorded):
        Conversation.objects.filter(id=session).update(updated_at=timezone.now() - timedelta(hours=COUNT - number))
    assert fold_runner.sweep(now=timezone.now(), limit=3) == 0
    assert fold_runner.sweep(now=timezone.now(), limit=3) == 3


def test_a_message_that_cannot_be_indexed_is_left_out_by_itself(recorded, monkeypatch):
    words = indexing._of_message

    def poisoned(parts, secrets):
        if MARK in parts:
            raise RecursionError
        return words(parts, secrets)

    monkeypatch.setattr(indexing, "_MESSAGES", indexing._Table(Message, ("parts", "secrets"), poisoned))
    indexing.catch_up()
    (left,) = unindexed("continuity_message")
    assert MARK in Message.objects.get(id=left).parts[0]["text"]
    assert Deferral.objects.get(kind="index").subject_id == left
    monkeypatch.undo()
    Deferral.objects.update(not_before=timezone.now())
    assert indexing.catch_up() == 1


def test_messages_that_are_held_do_not_keep_others_from_being_found(recorded, monkeypatch):
    monkeypatch.setattr(indexing, "BATCH", 5)  # they are the oldest, and more than are taken at once
    with held("continuity_message", recorded[0], column="conversation_id"):
        indexing.catch_up()
        left = unindexed("continuity_message")
    assert left
    assert sorted(left) == sorted(Message.objects.filter(conversation=recorded[0]).values_list("id", flat=True))


def test_a_segment_that_cannot_be_told_keeps_no_other_and_no_package_from_being_made(recorded, monkeypatch, team):
    continuity_tasks.distil(recorded[0])
    continuity_tasks.distil(recorded[3])
    bad = Segment.objects.filter(conversation_id=recorded[0], closed=True)[0]
    tell = segments._at_levels

    def some(told, levels, skipped=None):
        if bad.id in {each.id for each in told}:
            raise ValueError
        return tell(told, levels, skipped)

    monkeypatch.setattr(segments, "_at_levels", some)
    made = preparation.prepare(team=team, conversation_id=bad.conversation_id, options=preparation.options_of())
    assert made.status == "ready"
    segments.summarise_pending()
    assert list(Segment.objects.filter(closed=True, told_at=None)) == [bad]


def test_a_bank_that_cannot_be_read_keeps_no_other_from_it(recorded, monkeypatch):
    for session in recorded[:5]:
        continuity_tasks.distil(session)
        probe_bank._bank_of(Conversation.objects.get(id=session))
    step = probe_bank._step

    def some(conversation, stored):
        if str(conversation.id) == recorded[2]:
            raise ValueError
        return step(conversation, stored)

    monkeypatch.setattr(probe_bank, "_step", some)
    assert probe_bank.sweep() == 4
    assert probe_bank.sweep() == 0


def test_a_note_of_work_that_is_held_keeps_no_other_from_it(team):
    ids = [Conversation.objects.create(team=team, expires_at=timezone.now()).id for _ in range(2)]
    Deferral.objects.create(kind="test", subject_id=ids[0], not_before=timezone.now())
    done: list[UUID] = []
    with held("continuity_deferral", ids[0], column="subject_id"):
        assert deferrals.each(kind="test", ids=ids, work=done.append) == 1
    assert done == ids[1:]
