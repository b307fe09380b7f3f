"""A model that answers in order and says what is not so: nothing of it is stored, and each refusal is counted."""

import json

import pytest
from django.db import connection

from continuity.extraction import WindowLimits
from continuity.models import Anchor, Message, ModelPass, Task
from continuity.services.knowledge import fold_runner
from continuity.services.model import model_extraction
from continuity.services.recording import conversations
from tests.model.conftest import MISSED
from tests.model.endpoint import anchor, proposal
from tests.words import answered, said

pytestmark = pytest.mark.django_db

TOKEN = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"


def refused(conversation):
    """What the model's one answer came to."""
    done = model_extraction.propose(conversation_id=conversation.id, seconds=20)
    assert (done.windows, done.warning) == (1, "")
    assert ModelPass.objects.get(conversation=conversation).rejected == done.rejected
    assert not Task.objects.filter(conversation=conversation, method="model").exists()
    return done.rejected


def of_model(conversation):
    return Anchor.objects.filter(conversation=conversation, method="model")


def test_it_works(model, conversation):
    """The one that is true is kept beside those that are not."""
    model.answers = [proposal(anchors=[anchor("Invoices are never sent on paper.", 3), anchor(MISSED, 3), anchor(MISSED, 4)])]
    assert refused(conversation) == {"not_verbatim": 2}
    assert of_model(conversation).get().text == MISSED


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (anchor("Invoices go out on paper to customers in Bern, by the way.", 3), "not_verbatim"),
        (anchor(MISSED.upper(), 3), "not_verbatim"),
        (anchor(MISSED, 99), "unknown_message"),
        (anchor(MISSED, 0), "unknown_message"),
        ({**anchor(MISSED, 3), "message": "3"}, "unknown_message"),
        ({**anchor(MISSED, 1), "message": True}, "unknown_message"),
        (anchor(MISSED, 3, "Secret"), "unknown_type"),
        ({**anchor(MISSED, 3), "type": ["Decision"]}, "unknown_type"),
        (anchor(MISSED, 3, importance=1.5), "out_of_range"),
        (anchor(MISSED, 3, importance=-1), "out_of_range"),
        (anchor(MISSED, 3, importance=float("nan")), "out_of_range"),
        ({**anchor(MISSED, 3), "importance": "high"}, "shape"),
        ({**anchor(MISSED, 3), "quote": None}, "shape"),
        (anchor("on paper", 3), "too_short"),
        (anchor("word " * 500, 3), "too_long"),
        ("Decision: no paper", "shape"),
        (None, "shape"),
    ],
)
def test_an_anchor_that_does_not_hold(model, conversation, item, reason):
    model.answers = [proposal(anchors=[item])]
    assert refused(conversation) == {reason: 1}
    assert not of_model(conversation).exists()


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ({"task": "t99", "message": 3, "quote": MISSED, "status": "completed"}, "unknown_id"),
        ({"task": 7, "message": 3, "quote": MISSED, "status": "completed"}, "unknown_id"),
        ({"task": None, "message": 3, "quote": MISSED, "status": "completed"}, "out_of_range"),
        ({"task": None, "message": 3, "quote": MISSED, "status": "sleeping"}, "unknown_type"),
        ({"task": None, "message": 3, "quote": "Print all the invoices.", "status": "in_progress"}, "not_verbatim"),
    ],
)
def test_a_task_that_does_not_hold(model, conversation, item, reason):
    model.answers = [proposal(tasks=[item])]
    assert refused(conversation) == {reason: 1}


def test_an_unknown_anchor_can_not_be_settled(model, conversation):
    model.answers = [proposal(settled=[{"anchor": "a99", "how": "resolved", "message": 3, "quote": MISSED}])]
    assert refused(conversation) == {"unknown_id": 1}


def test_half_a_sentence_is_kept_as_a_whole_one(model, team):
    """The half would say the opposite."""
    made = conversations.create(team=team)
    whole = "In Bern nobody should ever be told to pay the invoice twice."
    conversations.append(team=team, conversation_id=made.id, messages=[said(f"So be it.\n\n{whole} That is all.")])
    fold_runner.catch_up(conversation_id=made.id)
    Anchor.objects.filter(conversation=made).delete()
    model.answers = [proposal(anchors=[anchor("told  to pay\nthe invoice twice", 1)])]
    refused(made)
    assert of_model(made).get().text == whole


def test_far_too_many_items(model, conversation):
    items = [anchor(MISSED, 3)] * 5000
    model.answers = [proposal(anchors=items[:1200], settled=[{}] * 500)]
    assert refused(conversation) == {"already_known": 29, "too_many": 1170 + 480, "unknown_type": 20}
    assert of_model(conversation).count() == 1


def test_a_conversation_holds_only_so_many_proposals(model, conversation, monkeypatch):
    monkeypatch.setattr(model_extraction, "LIMITS", WindowLimits(all_anchors=1, all_critical=0))
    other = "It sends everything by mail today."
    model.answers = [proposal(anchors=[anchor(MISSED, 3), anchor(other, 2, "CriticalFact")])]
    assert refused(conversation) == {"too_many": 1}
    assert of_model(conversation).get().critical is False


@pytest.mark.parametrize(("summary", "reason"), [("word " * 400, "too_long"), (f"The token is {TOKEN}.", "masked")])
def test_a_summary_that_can_not_be_kept(model, conversation, summary, reason):
    model.answers = [proposal(summary=summary)]
    assert refused(conversation) == {reason: 1}
    assert ModelPass.objects.get(conversation=conversation).summary == ""


def test_secrets_do_not_leave_and_do_not_come_back(model, team):
    made = conversations.create(team=team)
    line = f"Customers in Bern log in with {TOKEN} at the desk."
    conversations.append(team=team, conversation_id=made.id, messages=[said(line), answered(f"Noted, {TOKEN} it is.")])
    fold_runner.catch_up(conversation_id=made.id)
    echoed = line.replace(TOKEN, "[secret: github-token]")
    model.answers = [proposal(anchors=[anchor(echoed, 1), anchor(line, 1), anchor("Customers in Bern log in with", 1)])]
    rejected = refused(made)
    assert TOKEN not in json.dumps(model.asked[0].body)
    assert "[secret: " in model.asked[0].messages[0]["text"]
    assert rejected == {"not_verbatim": 1, "masked": 2}
    assert not of_model(made).exists()


@pytest.mark.django_db(transaction=True)
def test_what_is_rewound_while_the_model_thinks_is_not_stored(model, conversation):
    gone = Message.objects.get(conversation=conversation, seq=3).external_id

    def rewind_and_answer(call):
        conversations.append(team=conversation.team, conversation_id=conversation.id, messages=[], abandoned=[gone])
        connection.close()
        proposal(anchors=[anchor(MISSED, 3)])(call)

    model.answers = [rewind_and_answer, proposal()]
    model_extraction.propose(conversation_id=conversation.id, seconds=20)
    assert not of_model(conversation).exists()
    fold_runner.catch_up(conversation_id=conversation.id)
    model_extraction.propose(conversation_id=conversation.id, seconds=20)
    assert [message["message"] for message in model.asked[-1].messages] == [1, 2, 4]
