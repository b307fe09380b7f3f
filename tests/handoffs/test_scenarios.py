"""Scenarios of CONT-01, CONT-04 and CONT-06 that no other file tells, through the services."""

from datetime import timedelta

import pytest
from django.utils import timezone

from continuity.models import Anchor, Event, Task
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from handoffs.contract import package_json
from handoffs.models import Handoff
from handoffs.services.chains import resumption
from handoffs.services.packages import cleanup, decisions, directives, handoffs, preparation
from tests.handoffs.story import DECISION, story
from tests.words import called, resulted, said

OPTIONS = preparation.options_of(budget=10_000)
STEPS = ["Write the model", "Write the view", "Write the form", "Test the view", "Describe it"]


def prepare(conversation, options=OPTIONS):
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=options)


def listed(team, done):
    """A conversation whose agent keeps a list of five steps, of which `done` are completed."""
    conversation = conversations.create(team=team, title="Feature X", source_tool="test")
    todos = [{"content": step, "status": "completed" if number < done else "pending"} for number, step in enumerate(STEPS)]
    messages = [
        said("Please implement feature X."),
        called("TodoWrite", {"todos": todos}, call_id="l1"),
        resulted("Todos have been modified successfully.", call_id="l1"),
    ]
    conversations.append(team=team, conversation_id=conversation.id, messages=messages)
    fold_runner.catch_up(conversation_id=conversation.id)
    return conversation


def test_it_works(team):
    """CONT-06, 6.2 "EndToEnd_HandoffAndResumption_PreservesContext"."""
    conversation = story(team, max_context_tokens=100_000)
    conversation.context_tokens = 85_000
    conversation.save()
    assert decisions.decide_for(team=team, conversation_id=conversation.id).should_handoff
    handoff = prepare(conversation)
    assert any(DECISION in anchor["originalContent"] for anchor in handoff.anchors)
    resumed = resumption.resume(team=team, handoff_id=handoff.id)
    assert resumed.restored_anchors >= len(handoff.anchors)
    assert resumed.resumption.report["isSeamless"]
    actions = " ".join(directives.as_document(handoff)["immediateActions"])
    assert all(step in actions for task in handoff.pending_tasks for step in task["remainingSteps"])


def test_cont01_a_task_of_five_steps_with_three_done_is_at_60_percent(team):
    [task] = [task for task in prepare(listed(team, 3)).pending_tasks if task["completedSteps"]]
    assert (task["progressPercentage"], len(task["completedSteps"]), len(task["remainingSteps"])) == (60, 3, 2)


def test_cont06_only_incomplete_tasks_are_pending(team):
    handoff = prepare(listed(team, 3))
    assert handoff.pending_tasks
    assert {task["status"] for task in handoff.pending_tasks}.isdisjoint({"Completed"})
    assert {step for task in handoff.pending_tasks for step in task["remainingSteps"]} >= set(STEPS[3:])


def test_cont04_the_retrieved_handoff_matches_the_stored_one(team):
    stored = prepare(story(team))
    got = handoffs.get(team=team, handoff_id=stored.id)
    assert package_json.from_contract(got.package) == package_json.from_contract(stored.package)
    assert (got.text, got.fidelity, got.metadata) == (stored.text, stored.fidelity, stored.metadata)


def test_cont04_a_handoff_lives_thirty_days_and_what_was_resumed_stays(team):
    first, second = prepare(story(team)), prepare(story(team))
    resumption.resume(team=team, handoff_id=first.id)
    assert first.expires_at - first.created_at == timedelta(days=30)
    assert cleanup.delete_expired(now=timezone.now() + timedelta(days=31)) == 1
    assert set(Handoff.objects.values_list("id", flat=True)) == {first.id} != {second.id}


def test_cont06_a_handoff_of_many_messages_preserves_every_critical_anchor(team):
    conversation = story(team)
    filler = [said(f"Look at part {number}, please.") for number in range(300)]
    conversations.append(team=team, conversation_id=conversation.id, messages=filler)
    handoff = prepare(conversation)
    critical = Anchor.objects.filter(conversation=conversation, critical=True).current().values_list("text", flat=True)
    stated = {anchor["originalContent"] for anchor in handoff.anchors}
    assert critical
    assert set(critical) <= stated
    assert handoff.fidelity["anchorPreservationScore"] == 1.0


def test_cont06_extending_a_chain_is_published(team):
    handoff = prepare(story(team))
    told = Event.objects.get(name="chain.extended", subject_id=handoff.chain_id)
    assert told.payload == {"handoff_id": str(handoff.id), "length": 1}


@pytest.mark.parametrize("hops", [1, 3])
def test_cont06_a_resumed_session_has_the_open_tasks(team, hops):
    conversation = story(team)
    for _ in range(hops):
        conversation = resumption.resume(team=team, handoff_id=prepare(conversation).id).conversation
    assert Task.objects.filter(conversation=conversation).open().filter(steps_left__contains=["Test the worker"]).exists()
