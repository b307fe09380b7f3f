"""Erasing and cleaning up while others work on the same conversation, and when the worker is killed in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from continuity.core.errors import ConversationGone
from continuity.models import Cleanup, Conversation, Erasure, Job, JobStatus
from continuity.services.erasure import cleanups
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations, imports
from handoffs.models import Handoff
from handoffs.services.erasure import erasing
from handoffs.services.packages import preparation, probe_bank
from tests.handoffs.story import story
from tests.life.everywhere import tables_holding
from tests.platform.locks import waiting_for_locks
from tests.words import said

pytestmark = pytest.mark.django_db(transaction=True)
PROJECT = Path(__file__).resolve().parents[2]
NAME = "Wilhelmina Achterberg"


@pytest.fixture
def by(owner):
    return erasing.By(owner.email, owner)


@pytest.fixture
def conversation(team, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    found = story(team)
    conversations.append(team=team, conversation_id=found.id, messages=[said(f"Always ask {NAME} before a release.")])
    probe_bank.gather(conversation_id=found.id)
    found.refresh_from_db()
    return found


def until(what, seconds=120.0):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def held(rows):
    """Rows that others wait for, in a connection of our own."""
    with transaction.atomic():
        assert list(rows.select_for_update())
        yield


class Doing(threading.Thread):
    """Work in another connection; its result or its error."""

    def __init__(self, work):
        super().__init__()
        self.work, self.done, self.error = work, None, None
        self.start()

    def run(self):
        try:
            self.done = self.work()
        except Exception as error:
            self.error = error
        finally:
            connection.close()


def prepare(conversation):
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=preparation.options_of())


def at_once(conversation, first, second):
    """Both have begun, `first` before `second`, when they may go on."""
    with held(Conversation.objects.filter(id=conversation.id)):
        one = Doing(first)
        until(lambda: waiting_for_locks() == 1)
        other = Doing(second)
        until(lambda: waiting_for_locks() == 2)
    one.join(60)
    other.join(60)
    return one, other


def test_it_works(conversation, by):
    """Prepared a moment before the erase: the package is erased too."""
    of = {"team": conversation.team, "conversation_id": conversation.id, "by": by}
    prepared, erased = at_once(conversation, lambda: prepare(conversation), lambda: erasing.erase_conversation(**of))
    assert (prepared.error, erased.error) == (None, None)
    assert isinstance(prepared.done, Handoff)
    assert not Handoff.objects.exists()
    assert tables_holding(NAME) == set()


def test_a_package_of_a_conversation_that_was_erased_meanwhile_is_not_stored(conversation, by):
    of = {"team": conversation.team, "conversation_id": conversation.id, "by": by}
    erased, prepared = at_once(conversation, lambda: erasing.erase_conversation(**of), lambda: prepare(conversation))
    assert erased.error is None
    assert isinstance(prepared.error, ConversationGone)
    assert not Handoff.objects.exists()
    assert tables_holding(NAME) == set()


def test_a_package_made_from_words_that_were_erased_meanwhile_is_made_again(conversation, by):
    of = {"team": conversation.team, "conversation_id": conversation.id, "by": by}
    erased, prepared = at_once(conversation, lambda: erasing.erase_words(words=NAME, **of), lambda: prepare(conversation))
    assert (erased.error, prepared.error) == (None, None)
    assert NAME not in Handoff.objects.get().text
    assert tables_holding(NAME) == set()


def test_two_erases_at_once_leave_one_tombstone(conversation, by):
    of = {"team": conversation.team, "conversation_id": conversation.id, "by": by}
    one, other = at_once(conversation, lambda: erasing.erase_conversation(**of), lambda: erasing.erase_conversation(**of))
    assert one.done == other.done == Erasure.objects.get()


def test_a_fold_that_read_the_words_does_not_bring_them_back(conversation, by):
    """A step of distilling has read its messages and waits to store what it found; meanwhile the words are erased."""
    fold_runner.rewind(conversation=conversation, to=1)
    of = {"team": conversation.team, "conversation_id": conversation.id, "by": by}
    erased, folded = at_once(
        conversation, lambda: erasing.erase_words(words=NAME, **of), lambda: fold_runner.catch_up(conversation_id=conversation.id)
    )
    assert (erased.error, folded.error) == (None, None)
    fold_runner.catch_up(conversation_id=conversation.id)
    assert tables_holding(NAME) == set()


def killed_while(code: str, *arguments: Any) -> None:
    """Runs services in a process of their own and kills it with -9 as soon as it waits for a row that we hold."""
    url = "postgresql://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**connection.settings_dict)
    env = {**os.environ, "DATABASE_URL": url, "CONTINUITY_DATA_DIR": str(PROJECT / "data")}
    setup = "import django, sys; django.setup(); from uuid import UUID; from django.utils import timezone\n"
    began = subprocess.Popen([sys.executable, "-c", setup + code, *map(str, arguments)], cwd=PROJECT, env=env)
    try:
        until(lambda: began.poll() is not None or waiting_for_locks() > 0)
        assert began.poll() is None
    finally:
        os.kill(began.pid, signal.SIGKILL)
        began.wait(10)
    until(lambda: waiting_for_locks() == 0)


ERASE = """
from continuity.models import Conversation
from handoffs.services.erasure import erasing
conversation = Conversation.objects.get(id=sys.argv[1])
erasing.erase_conversation(team=conversation.team, conversation_id=conversation.id, by=erasing.By("killed"))
"""
WORK = """
import handoffs.tasks
from continuity.services.jobs import jobs
jobs.run(job_id=UUID(sys.argv[1]))
"""
CLEAN = """
from continuity.services.erasure import cleanups
cleanups.sweep(now=timezone.now())
"""


def test_killed_while_rows_are_erased_nothing_is_half_gone(conversation, by):
    handoff = prepare(conversation)
    with held(Handoff.objects.filter(id=handoff.id)):
        killed_while(ERASE, conversation.id)
    assert Conversation.objects.filter(id=conversation.id).exists()
    assert not Erasure.objects.exists()
    assert not Job.objects.filter(kind=erasing.KIND).exists()
    erasing.erase_conversation(team=conversation.team, conversation_id=conversation.id, by=by)
    assert tables_holding(NAME) == set()


def test_killed_while_the_rest_is_done_another_worker_completes_it(conversation, by):
    erasure = erasing.erase_conversation(team=conversation.team, conversation_id=conversation.id, by=by)
    with held(Erasure.objects.filter(id=erasure.id)):
        killed_while(WORK, erasure.job_id)
    job = Job.objects.get(id=erasure.job_id)
    assert job.status == JobStatus.RUNNING
    Job.objects.filter(id=job.id).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert jobs.sweep(now=timezone.now()) == 1
    jobs.run(job_id=job.id)
    erasure.refresh_from_db()
    job.refresh_from_db()
    assert (job.status, job.attempts, erasure.completed_at is not None) == (JobStatus.DONE, 2, True)


def test_fr004a_killed_while_cleaning_up_it_is_done_within_a_minute(conversation, tmp_path):
    job = jobs.submit(team=conversation.team, kind=imports.KIND, arguments={"file": "waiting"}, conversation=conversation)
    (tmp_path / "waiting").write_text("words")
    began = timezone.now()
    conversations.invalidate(team=conversation.team, conversation_id=conversation.id)
    with held(Job.objects.filter(id=job.id)):
        killed_while(CLEAN)
    cleanup = Cleanup.objects.get(conversation=conversation)
    assert (cleanup.attempts, cleanup.done_at) == (1, None)
    assert (tmp_path / "waiting").exists()
    assert cleanups.sweep(now=began + timedelta(seconds=60)) == 1
    cleanup.refresh_from_db()
    assert cleanup.done_at is not None
    assert not (tmp_path / "waiting").exists()
