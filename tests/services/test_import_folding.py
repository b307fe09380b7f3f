"""Folding in a second process: what it finds is what one process finds, whatever becomes of it."""

import gc
import os
import signal
import subprocess
import sys
import threading
import weakref
from multiprocessing import Pipe

import pytest
from django.conf import settings
from django.db.models import F

from continuity.models import Anchor, Conversation, FileTouch, FoldState, Segment, Task
from continuity.pipeline import STEP, PipelineState, StepRunner
from continuity.services.knowledge import fold_runner, import_folding
from continuity.services.recording import conversations
from tests.words import answered, called, resulted, said

# Tests run beside a thread of their runner, which holds no lock that folding asks for.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


def talk(count: int):
    for number in range(count):
        yield said(f"Never use port {number} for importer {number % 40}.")
        yield called("Write", {"file_path": f"src/part{number % 90}.py", "content": "x", "bb": 1e22, "a": -0.0}, call_id=f"c{number}")
        yield resulted("Error: no such file", call_id=f"c{number}", failed=True, exit_code=number % 2)
        yield answered(f"I decided to use {number} workers for importer {number % 40}.")


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


def append(conversation, messages, folding=None):
    for start in range(0, len(messages), 270):
        done = conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages[start : start + 270])
        if folding is not None:
            folding.keep(done.conversation, done.fresh)
    conversation.refresh_from_db()


@pytest.fixture
def messages():
    return list(talk(310))  # two steps and a rest


@pytest.fixture
def conversation(team):
    return conversations.create(team=team)


@pytest.fixture
def alone(team, messages):
    """What one process finds in the messages."""
    other = conversations.create(team=team)
    append(other, messages)
    fold_runner.catch_up(conversation_id=other.id)
    return found(other)


@pytest.fixture
def folding(conversation, monkeypatch):
    monkeypatch.setattr(import_folding, "is_possible", lambda: True)
    with fold_runner.Folding(conversation.id) as folding:
        assert folding.fork()
        yield folding


def test_it_works(conversation, messages, folding, alone):
    append(conversation, messages, folding)
    steps = [folding.beside.take(conversation, after, min(after + STEP, 1240)) for after in (0, STEP, 2 * STEP)]
    assert [step.through for step in steps] == [STEP, 2 * STEP, 1240]
    assert steps[-1].columns["state"] == alone[1]
    assert steps[-1].columns["outline"] == alone[4]


def test_all_rows_are_those_that_one_process_stores(conversation, messages, folding, alone):
    append(conversation, messages, folding)
    assert folding.catch_up().complete
    assert found(conversation) == alone


def test_it_goes_on_from_what_is_stored(conversation, messages, monkeypatch, alone):
    append(conversation, messages[:600])
    fold_runner.catch_up(conversation_id=conversation.id)
    monkeypatch.setattr(import_folding, "is_possible", lambda: True)
    with fold_runner.Folding(conversation.id) as folding:
        assert folding.fork()
        append(conversation, messages[600:], folding)
        assert folding.catch_up().complete
    assert found(conversation)[1:5] == alone[1:5]


def test_it_is_not_begun_while_messages_wait(conversation, messages, monkeypatch):
    monkeypatch.setattr(import_folding, "is_possible", lambda: True)
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages[:3])
    with fold_runner.Folding(conversation.id) as folding:
        assert not folding.fork()


@pytest.mark.parametrize("given", [0, 540, 1240])
def test_where_it_is_killed_this_process_folds(conversation, messages, folding, alone, given):
    append(conversation, messages[:given], folding)
    os.kill(folding.beside._process, signal.SIGKILL)
    append(conversation, messages[given:], folding)
    assert folding.catch_up().complete
    assert found(conversation) == alone


def test_messages_of_others_in_between_are_folded_in_their_place(team, conversation, messages, folding):
    append(conversation, messages[:540], folding)
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("Never touch the archive.")])
    append(conversation, messages[540:], folding)
    assert folding.catch_up().complete
    other = conversations.create(team=team)
    append(other, [*messages[:540], said("Never touch the archive."), *messages[540:]])
    fold_runner.catch_up(conversation_id=other.id)
    assert found(conversation) == found(other)


def test_a_step_that_another_process_stored_counts_once(conversation, messages, folding, alone):
    append(conversation, messages, folding)
    fold_runner.catch_up(conversation_id=conversation.id, steps=1)
    assert folding.catch_up().complete
    assert found(conversation) == alone


def test_nothing_from_before_a_rewind_is_handed_out(conversation, messages, folding):
    append(conversation, messages, folding)
    Conversation.objects.filter(id=conversation.id).update(rewinds=F("rewinds") + 1)  # as every erasure does
    conversation.refresh_from_db()
    assert folding.beside.take(conversation, 0, STEP) is None


def test_nothing_is_left_of_it(conversation, messages, folding):
    process = folding.beside._process
    append(conversation, messages, folding)
    folding.__exit__(None, None, None)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_what_could_not_be_sent_is_freed_at_once(conversation, messages, folding):
    """A failed answer knows what was being sent, and its traceback knows us: a circle that would wait for the collector."""
    gone = weakref.ref(folding.beside)
    gc.collect()
    gc.disable()
    try:
        os.kill(folding.beside._process, signal.SIGKILL)
        append(conversation, messages, folding)
        folding.__exit__(None, None, None)
        folding.beside = None
        assert gone() is None
    finally:
        gc.enable()


def test_no_process_with_other_threads_forks():
    waiting = threading.Event()
    other = threading.Thread(target=waiting.wait)
    other.start()
    try:
        assert not import_folding.is_possible()
    finally:
        waiting.set()
        other.join()


@pytest.mark.skipif(not import_folding._THREADS.exists() or len(os.sched_getaffinity(0)) < 2, reason="needs Linux and two processors")
def test_a_process_of_one_thread_may_fork():
    code = "import django; django.setup(); from continuity.services.knowledge import import_folding; print(import_folding.is_possible())"
    told = subprocess.run([sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True, text=True, check=True, timeout=60)
    assert told.stdout.split()[-1] == "True"


def test_it_answers_until_nothing_more_comes(conversation, messages):
    ours, theirs = Pipe()
    rows = conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages[:540]).fresh
    answering = threading.Thread(target=import_folding.answer, args=(theirs, StepRunner(PipelineState(), 0)))
    answering.start()
    answers = []
    for asked in (rows[:270], rows[270:], None):
        ours.send(asked)
        answers.append([step.through for step in ours.recv()])
    ours.close()
    answering.join(timeout=10)
    assert answers == [[], [STEP], [540]]
    assert not answering.is_alive()
    theirs.close()
