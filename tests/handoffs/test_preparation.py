"""Preparing: complete, checked, stored once, in its chain."""

import threading
from uuid import uuid4

import pytest
from django.db import connection

from continuity.core.errors import GateClosed, Invalid, NotFound, SessionInvalidated
from continuity.models import Event, FoldState, JobStatus, Tier
from continuity.services.jobs import jobs
from continuity.services.recording import conversations
from handoffs.models import Handoff, HandoffStatus
from handoffs.models.handoffs import COLUMNS
from handoffs.services.chains import chains
from handoffs.services.packages import preparation, probe_bank
from tests.handoffs.story import DECISION, RULE, story
from tests.words import said

OPTIONS = preparation.options_of(budget=4000)


def prepare(conversation, **more):
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=OPTIONS, **more)


def test_it_works(team):
    handoff = prepare(story(team))
    assert handoff.status == HandoffStatus.READY
    assert handoff.fidelity_score >= 0.85
    assert handoff.token_count <= 4000
    assert handoff.through_seq == 10


def test_cont01_handoff_contains_all_required_data(team):
    """CONT-01: the summary is not empty, anchors hold the critical decisions, unfinished work lists what is in progress."""
    handoff = prepare(story(team))
    assert handoff.compacted_summary.strip()
    assert any(DECISION in anchor["originalContent"] for anchor in handoff.anchors)
    assert "Write the worker" in str(handoff.pending_tasks)


def test_cont01_state_captures_working_context(team):
    state = prepare(story(team)).session_state
    assert state["currentWorkingDirectory"] == "/srv/app"
    assert state["activeBranch"] == "feature/queue"
    assert any("schema.py" in path for path in state["activeFiles"])
    assert any("pytest" in command for command in state["recentCommands"])


def test_the_directive_states_rule_decision_check_and_next_step(team):
    text = prepare(story(team)).text
    for words in (RULE, "Postgres", "pytest tests/queue", "1 failed", "Write the worker", "schema.py"):
        assert words in text


def test_cont04_store_persists_and_get_gives_the_same(team):
    handoff = prepare(story(team))
    stored = Handoff.objects.get(id=handoff.id)
    for name in ("anchors", "pending_tasks", "session_state", "metadata", "continuation_directive", "compacted_summary", "rest", "text"):
        assert getattr(stored, name) == getattr(handoff, name)


def test_preparing_the_same_id_again_gives_the_stored_one(team):
    conversation, handoff_id = story(team), uuid4()
    first = prepare(conversation, handoff_id=handoff_id)
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("One more thing.")])
    assert prepare(conversation, handoff_id=handoff_id).through_seq == first.through_seq
    assert chains.get(team=team, any_id=conversation.id).total_handoffs == 1


def test_events_and_chain_tell_of_it(team):
    handoff = prepare(story(team))
    names = set(Event.objects.values_list("name", flat=True))
    assert {"handoff.prepared", "chain.extended", "knowledge.distilled"} <= names
    chain = chains.get(team=team, any_id=handoff.conversation_id)
    assert chain.current_handoff == handoff
    assert chain.total_handoffs == 1
    assert chain.total_tokens_processed == handoff.conversation.total_tokens


def test_a_draft_waits_for_a_person(team):
    assert prepare(story(team), draft=True).status == HandoffStatus.DRAFT


def test_a_job_prepares_in_the_background(team):
    conversation = story(team)
    job = preparation.submit(team=team, conversation_id=conversation.id, options=OPTIONS)
    jobs.run(job_id=job.id)
    job.refresh_from_db()
    assert job.status == JobStatus.DONE
    assert Handoff.objects.get(id=job.result["handoff_id"]).conversation == conversation


@pytest.mark.parametrize("bad", [{"budget": 10}, {"budget": 10**9}, {"style": "poem"}, {"max_reminder_count": -1}])
def test_bad_options_are_refused_by_name(bad):
    with pytest.raises(Invalid, match=next(iter(bad))):
        preparation.options_of(**bad)


def test_a_low_tier_is_refused(team):
    conversation = story(team)
    team.tier = Tier.CORE
    team.save()
    with pytest.raises(GateClosed):
        preparation.prepare(team=team, conversation_id=conversation.id, options=OPTIONS)


def test_another_team_and_an_ended_session_are_refused(team, other_team):
    conversation = story(team)
    with pytest.raises(NotFound):
        preparation.prepare(team=other_team, conversation_id=conversation.id, options=OPTIONS)
    conversations.invalidate(team=team, conversation_id=conversation.id)
    with pytest.raises(SessionInvalidated):
        prepare(conversation)


@pytest.mark.django_db(transaction=True)
def test_two_prepares_at_once_are_two_links_of_one_chain(team):
    conversation, made, failures = story(team), [], []

    def work() -> None:
        try:
            made.append(prepare(conversation).id)
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert failures == []
    chain = chains.get(team=team, any_id=conversation.id)
    assert len(set(made)) == 2
    assert chain.total_handoffs == 1, "two packages of one conversation are one link"
    assert chain.current_handoff_id in made


def test_what_older_rules_folded_is_folded_again(team):
    conversation = story(team)
    text = prepare(conversation).text
    fold = FoldState.objects.get(conversation=conversation)
    assert fold.outline is not None
    outline = {**fold.outline, "rules_version": 0}
    FoldState.objects.filter(id=fold.id).update(rules_version=0, state={**fold.state, "rules_version": 0}, outline=outline)
    assert prepare(conversation).text == text


def test_a_fold_without_an_outline_gives_the_same_package(team):
    conversation = story(team)
    text = prepare(conversation).text
    assert FoldState.objects.filter(conversation=conversation).update(outline=None)
    assert prepare(conversation).text == text


def test_what_is_folded_already_is_not_asked_for_again(team, django_assert_max_num_queries):
    conversation = story(team)
    probe_bank.gather(conversation_id=conversation.id)
    with django_assert_max_num_queries(32):
        prepare(conversation)


def test_a_package_from_before_documents_were_stored_once_reads_as_its_columns_say(team):
    handoff = Handoff.objects.get(id=prepare(story(team)).id)
    public = handoff.package
    Handoff.objects.filter(id=handoff.id).update(rest={**public, "preservedAnchors": []})
    assert Handoff.objects.get(id=handoff.id).package == public


def test_each_document_of_a_package_is_stored_once(team):
    handoff = Handoff.objects.get(id=prepare(story(team)).id)
    assert handoff.rest.keys().isdisjoint(COLUMNS)
    assert handoff.package.keys() == handoff.rest.keys() | COLUMNS.keys()
    assert handoff.package["preservedAnchors"] == handoff.anchors != []
