"""What a well-behaved model adds, and what it can't touch."""

import pytest
from django.utils import timezone

from continuity import queries
from continuity.models import Anchor, Event, JobStatus, ModelPass, Task, Tier
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.model import model_extraction, model_passes
from continuity.services.recording import conversations
from handoffs.models import Handoff
from handoffs.services.packages import preparation
from tests.model.conftest import MISSED
from tests.model.endpoint import anchor, proposal
from tests.words import answered, said

pytestmark = pytest.mark.django_db


def propose(conversation, seconds=20):
    return model_extraction.propose(conversation_id=conversation.id, seconds=seconds)


def of_model(conversation):
    return Anchor.objects.filter(conversation=conversation, method="model")


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_it_works(model, conversation, settings, kind):
    settings.CONTINUITY_MODEL_KIND = kind
    settings.CONTINUITY_MODEL_URL = {"openai": f"{model.url}/v1", "anthropic": f"{model.url}/"}[kind]
    model.answers = [proposal(anchors=[anchor(MISSED, 3, "CriticalFact", 0.8)], summary="The mailer gets two channels.")]
    done = propose(conversation)
    assert (done.windows, done.anchors, done.warning) == (1, 1, "")
    found = of_model(conversation).get()
    assert (found.text, found.source_seq, found.truth, found.importance, found.critical) == (MISSED, 3, "stated", 0.8, False)
    asked = ModelPass.objects.get(conversation=conversation)
    assert (asked.first_seq, asked.last_seq, asked.model) == (1, 4, "small-model")
    assert (asked.input_tokens, asked.output_tokens, asked.summary) == (900, 70, "The mailer gets two channels.")
    assert Event.objects.get(name="knowledge.proposed").payload == {"through_seq": 4, "anchors": 1, "tasks": 0, "rejected": 0}
    sent = model.asked[0]
    assert sent.path == {"openai": "/v1/chat/completions", "anthropic": "/v1/messages"}[kind]
    assert "only-for-tests" in (sent.headers["authorization"] if kind == "openai" else sent.headers["x-api-key"])


def test_what_the_user_laid_down_is_critical_and_what_the_agent_said_is_not(model, conversation):
    by_agent = "Good to know, the mailer will have two channels then."
    model.answers = [proposal(anchors=[anchor(MISSED, 3), anchor(by_agent, 4, "Decision")])]
    propose(conversation)
    told = {row.truth: row.critical for row in of_model(conversation)}
    assert told == {"stated": True, "claimed": False}


def test_the_same_stretch_is_not_asked_twice_and_the_next_one_is(model, conversation):
    model.answers = [proposal()]
    propose(conversation)
    assert propose(conversation).windows == 0
    more = [answered("Both channels work now."), said("And thanks for the quick work on it.")]
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=more)
    fold_runner.catch_up(conversation_id=conversation.id)
    propose(conversation)
    assert [[m["message"] for m in asked.messages] for asked in model.asked] == [[1, 2, 3, 4], [5, 6]]


def test_what_rules_or_people_know_is_not_doubled(model, conversation):
    rule = "Never change the public API of the client."
    Anchor.objects.filter(conversation=conversation, text=rule).update(state="dismissed", edited_at=timezone.now())
    before = list(Anchor.objects.filter(conversation=conversation).order_by("key").values())
    model.answers = [proposal(anchors=[anchor(rule, 1, kind) for kind in ("Constraint", "Decision", "CriticalFact")])]
    done = propose(conversation)
    assert (done.anchors, done.rejected) == (0, {"already_known": 3})
    assert list(Anchor.objects.filter(conversation=conversation).order_by("key").values()) == before


def test_it_settles_its_own_anchors_and_no_others(model, conversation):
    model.answers = [proposal(anchors=[anchor(MISSED, 3, "CriticalFact")])]
    propose(conversation)
    later = "No more paper for anyone from next week on."
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=[said(later)])
    fold_runner.catch_up(conversation_id=conversation.id)

    def settle_all(call):
        items = [{"anchor": known["id"], "how": "superseded", "message": 5, "quote": later} for known in call.asked.known["anchors"]]
        assert len(items) > 1
        proposal(settled=items)(call)

    model.answers = [settle_all]
    done = propose(conversation)
    assert done.rejected["not_its_own"] == len(model.asked[-1].known["anchors"]) - 1
    assert of_model(conversation).get().state == "superseded"
    assert Anchor.objects.get(conversation=conversation, text="Never change the public API of the client.").state == "current"


def test_it_proposes_tasks_and_moves_its_own(model, conversation):
    words = "Good to know, the mailer will have two channels then."
    model.answers = [proposal(tasks=[{"task": None, "message": 4, "quote": words, "status": "in_progress"}])]
    assert propose(conversation).tasks == 1
    finished = "Both channels are there, and the mailer uses them."
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=[answered(finished)])
    fold_runner.catch_up(conversation_id=conversation.id)

    def finish(call):
        (own,) = [known for known in call.asked.known["tasks"] if known["own"]]
        proposal(tasks=[{"task": own["id"], "message": 5, "quote": finished, "status": "completed"}])(call)

    model.answers = [finish]
    propose(conversation)
    task = Task.objects.get(conversation=conversation, method="model")
    assert (task.description, task.status, task.last_seq) == (words, 5, 5)


def test_a_fold_from_the_beginning_leaves_proposals(model, conversation):
    model.answers = [proposal(anchors=[anchor(MISSED, 3, "CriticalFact")])]
    propose(conversation)
    fold_runner.rewind(conversation=conversation, to=1)
    fold_runner.catch_up(conversation_id=conversation.id)
    assert of_model(conversation).get().text == MISSED


def test_rewound_messages_take_their_proposals_with_them(model, team):
    made = conversations.create(team=team)
    talk = [said("Please build the mailer.", external_id="one"), said(MISSED, external_id="two")]
    conversations.append(team=team, conversation_id=made.id, messages=talk)
    fold_runner.catch_up(conversation_id=made.id)
    model.answers = [proposal(anchors=[anchor(MISSED, 2, "CriticalFact")], summary="About invoices.")]
    propose(made)
    assert of_model(made).exists()
    conversations.append(team=team, conversation_id=made.id, messages=[said("Only mail, please.")], abandoned=["two"])
    fold_runner.catch_up(conversation_id=made.id)
    assert not of_model(made).exists()
    assert ModelPass.objects.get(conversation=made).summary == ""


def test_a_lower_tier_asks_nobody(model, conversation, team):
    team.tier = Tier.WRITER_PRO
    team.save()
    assert model_passes.request(conversation_id=conversation.id) is None
    assert propose(conversation).windows == 0
    assert model.asked == []


def test_without_a_model_nothing_is_submitted(conversation):
    assert model_passes.request(conversation_id=conversation.id) is None
    assert propose(conversation).windows == 0


def test_four_fifths_of_the_window_have_the_model_asked_in_the_background(model, team, django_capture_on_commit_callbacks):
    made = conversations.create(team=team, max_context_tokens=400)
    with django_capture_on_commit_callbacks(execute=True):
        conversations.append(team=team, conversation_id=made.id, messages=[said(f"{MISSED} {'word ' * 330}")])
    job = made.jobs.get(kind="propose")
    model.answers = [proposal(anchors=[anchor(MISSED, 1, "CriticalFact")])]
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert (job.status, job.result["anchors"], job.warnings) == (JobStatus.DONE, 1, [])


def test_preparing_in_the_background_asks_first_where_that_is_set(model, conversation, settings):
    settings.CONTINUITY_MODEL_PREPARE_SECONDS = 60
    model.answers = [proposal(anchors=[anchor(MISSED, 3, "Constraint")], summary="The mailer gets two channels.")]
    job = preparation.submit(team=conversation.team, conversation_id=conversation.id, options=preparation.options_of())
    jobs.run(job_id=job.id)
    handoff = Handoff.objects.get(conversation=conversation)
    assert MISSED.removesuffix(".") in handoff.text
    assert "unconfirmed: “The mailer gets two channels.”" in handoff.compacted_summary
    assert queries.knowledge_of(conversation).retold == "The mailer gets two channels."
