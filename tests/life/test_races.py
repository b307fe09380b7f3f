"""Erasing beside appending, preparing and resuming, many times over: no deadlock is seen, and no erased word is left."""

from __future__ import annotations

import threading
import time
from collections import Counter
from contextlib import contextmanager
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction

from continuity.models import Conversation, Message, Team
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner, secret_spans
from continuity.services.recording import conversations
from continuity.services.segments import segments
from diagnostics.services import auditing
from handoffs.models import Handoff, HandoffChain
from handoffs.services.erasure import erasing
from handoffs.services.packages import policies, probe_bank
from handoffs.services.packages.authors import Author
from tests.api.caller import Caller, person
from tests.handoffs.story import story
from tests.life.everywhere import tables_holding
from tests.platform.locks import waiting_for_locks
from tests.secrets.samples import letters
from tests.words import said

pytestmark = pytest.mark.django_db(transaction=True)
NAME = "Wilhelmina Achterberg"
EACH = 4  # messages that each writer appends in a round
# What a request may be told beside its answer: what it asks for was erased, taken by another request, or waits to be made again.
TOLD = {404, 409, 410}


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def together(*works):
    """Does all at the same moment, each in a thread and connection of its own."""
    begin, raised = threading.Barrier(len(works)), []

    def run(work):
        begin.wait(60)
        try:
            work()
        except Exception as error:
            raised.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[work]) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(180)
        assert not thread.is_alive()
    assert raised == []


class Round:
    """Two conversations in a chain, whose first words are erased while others write to both; each request has an `Idempotency-Key`, so
    that all it does is one transaction."""

    def __init__(self, team: Team) -> None:
        self.api = Caller.of(team)
        self.answers: list[Any] = []
        self.stored: list[Any] = []
        self.first = story(team)
        # Nearly full: each append asks for an automatic handoff too.
        Conversation.objects.filter(id=self.first.id).update(max_context_tokens=220)
        self.append(self.first.id, f"Always ask {NAME} before a release.", "f0")
        self.one = self.post(f"/conversations/{self.first.id}/handoffs").json()["id"]
        resumed = self.post(f"/handoffs/{self.one}/resume").json()
        self.second = Conversation.objects.get(id=resumed["conversation"]["id"])
        self.append(self.second.id, f"{Handoff.objects.get(id=self.one).text}\nGo on.", "s0")
        self.two = self.post(f"/conversations/{self.second.id}/handoffs").json()["id"]

    def post(self, path, body=None):
        answer = self.api.post(path, body or {}, idempotency_key=uuid4().hex)
        self.answers.append((answer.status_code, answer.json().get("detail", "")))
        return answer

    def append(self, conversation_id, words, name):
        answer = self.post(f"/conversations/{conversation_id}/messages", {"messages": [person(words, external_id=name)]})
        if answer.status_code == 201:
            self.stored.append((conversation_id, name))

    def appends(self, conversation):
        for number in range(EACH):
            self.append(conversation.id, f"Keep the limit of worker {number} at 40.", f"m{number}")

    def prepares(self, conversation):
        self.post(f"/conversations/{conversation.id}/handoffs")

    def resumes(self, handoff_id, **how):
        self.post(f"/handoffs/{handoff_id}/resume", how)

    def run(self, erase):
        first, second = self.first, self.second
        together(
            erase,
            partial(self.appends, first),
            partial(self.appends, second),
            partial(self.resumes, self.two),
            partial(self.resumes, self.one, fork=True),
            partial(self.prepares, second),
            partial(self.prepares, first),
            partial(probe_bank.gather, conversation_id=second.id),
            partial(segments.summarise_pending, conversation_id=first.id),
        )


@pytest.mark.parametrize("rounds", [1, pytest.param(4, marks=pytest.mark.long)])
@pytest.mark.parametrize("whole", [False, True], ids=["words", "conversation"])
def test_it_works(team, owner, whole, rounds, caplog):
    told: Counter[Any] = Counter()
    for _ in range(rounds):
        it = Round(team)
        of = {"team": team, "conversation_id": it.first.id, "by": erasing.By(owner.email, owner)}
        it.run(partial(erasing.erase_conversation, **of) if whole else partial(erasing.erase_words, words=NAME, **of))
        told.update(it.answers)
        assert tables_holding(NAME) == set()
        for conversation_id, name in it.stored:
            there = Conversation.objects.filter(id=conversation_id).exists()
            assert not there or Message.objects.filter(conversation=conversation_id, external_id=name).exists()
    assert {status for status, _ in told} <= {200, 201, *TOLD}
    assert not [record for record in caplog.records if "deadlock" in record.getMessage() + str(record.exc_info)]


def deadlocks():
    """How many transactions Postgres ended in this database so far, those of connections that are closed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        return cursor.fetchone()[0]


@contextmanager
def held(rows):
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


def one_after_the_other(rows, *works):
    """Each begins while `rows` are held, and waits for a lock, or is done, before the next one begins; gives what each did."""
    with held(rows):
        threads = []
        for number, work in enumerate(works, 1):
            threads.append(Doing(work))
            end = time.monotonic() + 120
            while waiting_for_locks() < number and threads[-1].is_alive():
                assert time.monotonic() < end
                time.sleep(0.01)
    for thread in threads:
        thread.join(120)
    assert [thread.error for thread in threads] == [None for _ in works]
    return [thread.done for thread in threads]


def unread(it):
    """Something was said that no worker has folded or read yet: who prepares or resumes does it first."""
    conversations.append(team=it.first.team, conversation_id=it.second.id, messages=[said("Keep the limit of the importer at 40.")])


@pytest.mark.parametrize("which", ["prepares", "resumes"])
def test_who_folds_within_a_request_waits_for_the_chain_first(team, owner, which):
    """An erase waits for the chain; then a request comes whose one transaction folds the conversation and needs the chain too."""
    it = Round(team)
    of = {"team": team, "conversation_id": it.first.id, "by": erasing.By(owner.email, owner)}
    work = partial(it.prepares, it.second) if which == "prepares" else partial(it.resumes, it.two)
    unread(it)
    before = deadlocks()
    one_after_the_other(HandoffChain.objects.all(), partial(erasing.erase_words, words=NAME, **of), work)
    assert it.answers[-1] == (201, "")
    assert deadlocks() == before
    assert tables_holding(NAME) == set()


def test_an_append_that_hands_off_beside_an_erase_is_stored(team, owner):
    it = Round(team)
    Conversation.objects.filter(id=it.second.id).update(max_context_tokens=220)
    Handoff.objects.filter(automatic=True).delete()
    of = {"team": team, "conversation_id": it.first.id, "by": erasing.By(owner.email, owner)}
    append = partial(it.append, it.second.id, "Keep the limit of the importer at 40.", "late")
    one_after_the_other(HandoffChain.objects.all(), partial(erasing.erase_words, words=NAME, **of), append)
    assert it.answers[-1] == (201, "")
    assert Message.objects.filter(conversation=it.second, external_id="late").exists()
    assert tables_holding(NAME) == set()


def test_a_policy_that_is_set_while_somebody_appends_does_not_stop_them(team, owner):
    it = Round(team)
    append = partial(it.append, it.first.id, "Keep the limit of the importer at 40.", "late")
    change = partial(policies.change, team=team, conversation=it.first, changes={"review": True}, author=Author(user=owner))
    before = deadlocks()
    one_after_the_other(Conversation.objects.filter(id=it.first.id), append, change)
    assert (it.answers[-1], deadlocks()) == ((201, ""), before)


def test_a_search_for_secrets_missed_before_and_an_erase_do_not_wait_in_a_circle(team, owner):
    it = Round(team)
    conversations.append(team=team, conversation_id=it.first.id, messages=[said(f"One is in /srv/ghp_{letters(34)}/a.py")])
    Message.objects.filter(conversation=it.first).update(secrets=[])
    of = {"team": team, "conversation_id": it.first.id, "by": erasing.By(owner.email, owner)}
    before, look = deadlocks(), partial(secret_spans.find_again, conversation_id=it.first.id)
    _erasure, found = one_after_the_other(Conversation.objects.filter(id=it.first.id), partial(erasing.erase_words, words=NAME, **of), look)
    assert (found, deadlocks()) == (1, before)
    assert tables_holding(NAME) == set()


def test_an_audit_and_an_erase_do_not_wait_in_a_circle(team, owner):
    it = Round(team)
    fold_runner.catch_up(conversation_id=it.first.id)
    probe_bank.catch_up(conversation_id=it.first.id)
    job = auditing.submit(team=team, conversation_id=it.first.id)
    of = {"team": team, "conversation_id": it.first.id, "by": erasing.By(owner.email, owner)}
    before, audit = deadlocks(), partial(jobs.run, job_id=job.id)
    one_after_the_other(Conversation.objects.filter(id=it.first.id), partial(erasing.erase_conversation, **of), audit)
    assert (deadlocks(), Conversation.objects.filter(id=it.first.id).exists()) == (before, False)
