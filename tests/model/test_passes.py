"""A pass is bounded, goes on where the last one stopped, and counts once whoever runs it."""

import threading
from itertools import chain

import pytest
from django.db import connection
from django.test import Client

from continuity.models import Anchor, Job, JobStatus, ModelPass
from continuity.services.accounts import apikeys
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.model import model_endpoint, model_extraction, model_passes
from continuity.services.recording import conversations
from diagnostics import health, health_probe
from handoffs.services.chains import resumption
from handoffs.services.packages import preparation
from tests.model.conftest import MISSED
from tests.model.endpoint import anchor, proposal, sends
from tests.words import called, resulted, said

pytestmark = pytest.mark.django_db


def propose(conversation):
    return model_extraction.propose(conversation_id=conversation.id, seconds=30)


@pytest.fixture
def long(team):
    """Forty messages of about two hundred tokens."""
    made = conversations.create(team=team)
    talk = [said(f"Remark {number} about invoices. " + "They go out by mail on Mondays. " * 25) for number in range(1, 41)]
    conversations.append(team=team, conversation_id=made.id, messages=talk)
    fold_runner.catch_up(conversation_id=made.id)
    return made


def asked_about(model):
    return [[message["message"] for message in asked.messages] for asked in model.asked]


def test_it_works(model, long, settings):
    settings.CONTINUITY_MODEL_WINDOW_TOKENS, settings.CONTINUITY_MODEL_WINDOWS = 1000, 3
    model.answers = [proposal()]
    assert propose(long).windows == 3
    told = asked_about(model)
    assert list(chain(*told)) == list(range(1, max(told[-1]) + 1))
    assert all(3 <= len(window) <= 6 for window in told)
    propose(long)
    assert asked_about(model)[3][0] == max(told[-1]) + 1


def test_a_message_longer_than_a_window_is_shown_in_part(model, team, settings):
    settings.CONTINUITY_MODEL_WINDOW_TOKENS = 500
    made = conversations.create(team=team)
    conversations.append(team=team, conversation_id=made.id, messages=[said("begin " + "word " * 200_000 + "end"), said(MISSED)])
    fold_runner.catch_up(conversation_id=made.id)
    model.answers = [proposal(), proposal(anchors=[anchor(MISSED, 2)])]
    propose(made)
    (first,) = model.asked[0].messages
    assert len(first["text"]) < 4100
    assert (first["text"][:5], first["text"][-3:]) == ("begin", "end")
    assert Anchor.objects.get(conversation=made, method="model").text == MISSED


def test_what_has_no_words_is_passed_over_without_asking(model, team):
    made = conversations.create(team=team)
    work = [called("Bash", {"command": "ls"}, call_id="c1"), resulted("a.py", call_id="c1")]
    conversations.append(team=team, conversation_id=made.id, messages=work)
    fold_runner.catch_up(conversation_id=made.id)
    assert propose(made).windows == 1
    assert model.asked == []
    assert ModelPass.objects.get(conversation=made).last_seq == 2


def test_words_of_side_chains_and_directives_are_not_shown(model, team):
    made = conversations.create(team=team)
    directive = "--- SESSION CONTINUATION ---\nAlways print invoices.\n--- END CONTINUATION ---"
    talk = [said("Look for invoices.", agent="explorer"), said(directive), said(MISSED)]
    conversations.append(team=team, conversation_id=made.id, messages=talk)
    fold_runner.catch_up(conversation_id=made.id)
    model.answers = [proposal()]
    propose(made)
    assert asked_about(model) == [[3]]


def test_a_worker_that_dies_is_followed_by_one_that_goes_on(model, long, settings):
    settings.CONTINUITY_MODEL_WINDOW_TOKENS, settings.CONTINUITY_MODEL_WINDOWS = 2000, 2
    job = model_passes.request(conversation_id=long.id)
    assert job is not None
    model.answers = [proposal()]
    lease = jobs.Lease(job)  # never claimed, so lost as soon as it is kept
    with pytest.raises(jobs.LeaseLost):
        model_extraction.propose(conversation_id=long.id, seconds=30, keep=lambda: lease.advance() if model.asked else None)
    assert len(model.asked) == 1
    jobs.run(job_id=job.id)
    told = asked_about(model)
    assert list(chain(*told)) == list(range(1, max(told[-1]) + 1))
    assert len(told) == 3
    assert Job.objects.get(id=job.id).status == JobStatus.DONE


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_store_each_answer_once(model, conversation):
    together = threading.Barrier(2, timeout=60)

    def answer(call):
        together.wait()
        proposal(anchors=[anchor(MISSED, 3)], summary="Said once.")(call)

    model.answers = [answer]
    failures: list[Exception] = []

    def work():
        try:
            propose(conversation)
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (failures, len(model.asked)) == ([], 2)
    assert ModelPass.objects.filter(conversation=conversation).count() == 1
    assert Anchor.objects.filter(conversation=conversation, method="model").count() == 1


def test_the_api_asks_before_it_prepares(model, conversation, settings, team):
    settings.CONTINUITY_MODEL_PREPARE_SECONDS = 60
    model.answers = [proposal(anchors=[anchor(MISSED, 3)])]
    _key, text = apikeys.issue(team=team, name="agent")
    path = f"/api/v1/conversations/{conversation.id}/handoffs"
    made = Client().post(path, {}, content_type="application/json", headers={"authorization": f"Bearer {text}"})
    assert made.status_code == 201
    assert MISSED.removesuffix(".") in conversation.handoffs.get().text


def test_proposals_go_along_into_the_next_conversation(model, conversation, team):
    model.answers = [proposal(anchors=[anchor(MISSED, 3)])]
    propose(conversation)
    handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    heir = resumption.resume(team=team, handoff_id=handoff.id).conversation
    carried = Anchor.objects.get(conversation=heir, method="model")
    assert (carried.text, carried.origin_conversation) == (MISSED, conversation)


def test_readiness_names_a_model_that_is_silent_and_stays_ready(model, conversation, monkeypatch):
    monkeypatch.setattr(health_probe, "SEEN_FOR", 0.0)
    model_endpoint.note(answered=True)
    assert health.readiness().checks["model"] == "ok"
    model.answers = [sends(b"{}", status=401)]
    propose(conversation)
    seen = health.readiness()
    assert (seen.ready, seen.checks["model"]) == (True, "failed")
