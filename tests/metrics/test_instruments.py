"""CONT-06 §8.1 and its neighbours: what each operation adds to which instrument, under which labels."""

from typing import Any

import pytest

from continuity.models import Conversation, Task
from continuity.services.recording import conversations
from handoffs.models import Handoff
from handoffs.services.chains import resumption
from handoffs.services.packages import preparation
from tests.handoffs.story import overloaded, story
from tests.metrics.reading import scrape, value
from tests.words import said


def prepare(conversation: Conversation, **options: Any) -> Handoff:
    wanted = preparation.options_of(**options)
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=wanted)


def test_it_works(team):
    """CONT-06 "Metrics are recorded during handoff"."""
    conversation = story(team)
    prepare(conversation)
    assert value("lexichord_continuity_handoffs_total", conversation_id=conversation.id, success="true") == 1
    assert value("lexichord_continuity_handoff_latency_count", conversation_id=conversation.id) == 1
    prepare(conversation)
    assert value("lexichord_continuity_handoffs_total", conversation_id=conversation.id, success="true") == 2
    assert value("lexichord_continuity_handoff_latency_count", conversation_id=conversation.id) == 2


def test_cont06_metrics_of_a_successful_handoff(team):
    conversation = story(team, max_context_tokens=1000)
    handoff = prepare(conversation)
    conversation.refresh_from_db()
    of = {"conversation_id": conversation.id}
    seen = scrape()

    def told(name, **labels):
        return seen.get((name, frozenset((label, str(text)) for label, text in {**of, **labels}.items())))

    assert told("lexichord_continuity_handoffs_success") == 1
    assert told("lexichord_continuity_handoffs_failed", reason="fidelity") is None
    assert told("lexichord_continuity_handoff_latency_sum") > 0
    assert told("lexichord_continuity_context_utilization_sum") == pytest.approx((conversation.utilization or 0) * 100, abs=0.01)
    assert told("lexichord_continuity_fidelity_score_sum") == pytest.approx(handoff.fidelity_score)
    assert told("lexichord_continuity_tasks_extracted") == Task.objects.filter(conversation=conversation).open().count() > 0
    decisions = sum(anchor["type"] == "Decision" for anchor in handoff.anchors)
    assert told("lexichord_continuity_anchors_preserved", type="Decision") == decisions > 0


def test_cont06_metrics_of_a_check_that_fails(team):
    handoff = prepare(overloaded(team), budget=150)
    assert handoff.status == "failed"
    of = {"conversation_id": handoff.conversation_id}
    assert value("lexichord_continuity_handoffs_total", success="false", **of) == 1
    assert value("lexichord_continuity_handoffs_failed", reason="fidelity", **of) == 1
    assert value("lexichord_continuity_handoffs_success", **of) is None
    assert value("lexichord_continuity_fidelity_score_count", **of) == 1


def test_cont06_metrics_of_a_resumption(team):
    handoff = prepare(story(team))
    resumption.resume(team=team, handoff_id=handoff.id)
    resumption.resume(team=team, handoff_id=handoff.id, fork=True)
    assert value("lexichord_continuity_resumptions_total", handoff_id=handoff.id, success="true") == 2
    assert value("lexichord_continuity_resumption_latency_count", handoff_id=handoff.id) == 2


def test_cont06_chain_length_is_tracked_across_handoffs(team):
    """A chain with 5 handoffs shows 6 when one more is prepared."""
    conversation = story(team)
    for _ in range(5):
        handoff = prepare(conversation)
        conversation = resumption.resume(team=team, handoff_id=handoff.id).conversation
    assert value("lexichord_continuity_chain_length", chain_id=handoff.chain_id) == 5
    prepare(conversation)
    assert value("lexichord_continuity_chain_length", chain_id=handoff.chain_id) == 6
    assert value("Agents_Continuity_Storage_ChainLength_count") == 6
    assert value("Agents_Continuity_Storage_ChainLength_bucket", le="5") == 5


def test_cont04_and_cont02_instruments(team):
    conversation = story(team, max_context_tokens=200_000)
    assert value("Agents_Continuity_Storage_HandoffCount") == 0
    prepare(conversation)
    prepare(conversation, trigger_reason="Context window utilization exceeded 85% threshold", style="concise")
    conversation.refresh_from_db()
    assert value("Agents_Continuity_Storage_HandoffCount") == 2
    assert value("Agents_Continuity_TokenUsage", conversation_id=conversation.id) == conversation.context_tokens
    assert value("Agents_Continuity_Utilization_count") == 1
    assert value("Agents_Continuity_HandoffsTriggered", trigger="manual") == 1
    assert value("Agents_Continuity_HandoffsTriggered", trigger="automatic") == 1
    assert value("Agents_Continuity_Directive_Generated", style="structured") == 1
    assert value("Agents_Continuity_Directive_Generated", style="concise") == 1
    assert value("Agents_Continuity_TaskExtraction_Count") == Task.objects.filter(conversation=conversation).open().count()
    assert value("Agents_Continuity_TaskExtraction_Duration_count") == 1
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("Go on.")])
    assert value("Agents_Continuity_Utilization_count") == 2


def test_a_conversation_that_ended_uses_no_tokens(team):
    conversation = story(team)
    conversations.invalidate(team=team, conversation_id=conversation.id)
    assert value("Agents_Continuity_TokenUsage", conversation_id=conversation.id) is None
