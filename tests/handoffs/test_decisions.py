"""Whether to hand off now, from the conversation's own ledger; and what the log says of it."""

import logging

import pytest

from continuity.models import Event
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.transcripts.base.model import Usage
from handoffs.services.packages import decisions
from tests.words import answered, called, resulted, said

PLAN = [{"content": f"Step {n}", "status": "pending"} for n in range(7)]


def filled(team, share, *more):
    """A conversation whose provider reports `share` of a window of 1,000 tokens in use."""
    conversation = conversations.create(team=team, max_context_tokens=1000)
    messages = [said("Build it."), *more, answered("On it.", usage=Usage(input=int(share * 1000)), usage_id="m1")]
    conversations.append(team=team, conversation_id=conversation.id, messages=messages)
    fold_runner.catch_up(conversation_id=conversation.id)
    return decisions.decide_for(team=team, conversation_id=conversation.id)


def test_it_works(team):
    decision = filled(team, 0.85)
    assert decision.should_handoff
    assert decision.reason == "Context window utilization exceeded 85% threshold"


@pytest.mark.parametrize(("share", "expected"), [(0.10, False), (0.70, False), (0.849, False), (0.90, True)])
def test_the_threshold_decides(team, share, expected):
    assert filled(team, share).should_handoff is expected


def test_a_long_task_hands_off_earlier(team):
    plan = [called("TodoWrite", {"todos": PLAN}, call_id="t"), resulted("Todos have been modified successfully.", call_id="t")]
    assert filled(team, 0.72, *plan).should_handoff


def test_usage_above_the_window_is_never_acted_on(team):
    decision = filled(team, 1.4)
    assert not decision.should_handoff
    assert decision.above_window


def test_the_log_warns_when_the_limit_is_near(team, caplog, django_capture_on_commit_callbacks):
    with caplog.at_level(logging.WARNING, logger="continuity.handoffs"), django_capture_on_commit_callbacks(execute=True):
        filled(team, 0.86)
    assert "[CONT:LIMIT] Context limit approaching:" in caplog.text
    assert Event.objects.filter(name="conversation.threshold_crossed").exists()


def test_the_log_is_quiet_while_there_is_room(team, caplog, django_capture_on_commit_callbacks):
    with caplog.at_level(logging.WARNING, logger="continuity.handoffs"), django_capture_on_commit_callbacks(execute=True):
        filled(team, 0.71, *[said("More.") for _ in range(3)])
    assert "[CONT:LIMIT]" not in caplog.text
