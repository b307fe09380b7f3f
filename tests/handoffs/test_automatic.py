"""Handing off without being asked: once, when it is due, by the policy of team and conversation."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from continuity.core.errors import Invalid
from continuity.models import Event, Team, Tier
from continuity.services.recording import conversations
from continuity.transcripts.base.model import Usage
from handoffs.models import Handoff, HandoffStatus, Resumption
from handoffs.policy import Hold
from handoffs.services.chains import resumption
from handoffs.services.packages import automatic, lifecycle, policies, preparation
from handoffs.services.packages.authors import Author
from tests.words import answered, called, resulted, said

WINDOW = 1000


def opened(team):
    return conversations.create(team=team, max_context_tokens=WINDOW)


def after(team, conversation, share, *more):
    """What follows from messages after which the provider reports `share` of the window in use."""
    usage = Usage(input=round(share * WINDOW))
    messages = [said("Never send real mail. Build it."), *more, answered("On it.", usage=usage, usage_id=f"u{share}")]
    done = conversations.append(team=team, conversation_id=conversation.id, messages=messages)
    return automatic.follow_up(team=team, conversation=done.conversation)


def test_it_works(team):
    conversation = opened(team)
    assert after(team, conversation, 0.5).handoff is None
    followed = after(team, conversation, 0.86)
    assert followed.decision.due
    assert (followed.handoff.status, followed.handoff.automatic) == (HandoffStatus.READY, True)
    assert followed.handoff.metadata["triggerReason"] == followed.decision.reason
    assert "Never send real mail" in followed.handoff.text


def test_it_is_made_once(team):
    conversation = opened(team)
    first = after(team, conversation, 0.86).handoff
    assert after(team, conversation, 0.9).handoff.id == first.id
    assert Handoff.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_appends_at_the_same_moment_one_makes_it(team):
    conversation = opened(team)
    after(team, conversation, 0.5)
    usage = Usage(input=900)
    done = conversations.append(
        team=team, conversation_id=conversation.id, messages=[said("Go on."), answered("Yes.", usage=usage, usage_id="u")]
    )
    made = []

    def work():
        try:
            made.append(automatic.follow_up(team=team, conversation=done.conversation).handoff)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(made) == 3
    assert set(made) == set(Handoff.objects.all())


def test_below_the_tier_it_is_left_to_people(team):
    Team.objects.filter(id=team.id).update(tier=Tier.WRITER_PRO)
    team.refresh_from_db()
    conversation = opened(team)
    followed = after(team, conversation, 0.9)
    assert (followed.decision.should_handoff, followed.decision.held, followed.handoff) == (True, Hold.TIER, None)
    assert preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of()).status == HandoffStatus.READY


def test_a_finished_task_advances_it(team):
    conversation = opened(team)
    todo = {"content": "Write the parser", "status": "in_progress"}
    begun = called("TodoWrite", {"todos": [todo]}, call_id="1"), resulted("Todos have been modified successfully.", call_id="1")
    assert after(team, conversation, 0.81, *begun).handoff is None
    done = {"todos": [todo | {"status": "completed"}]}
    ended = called("TodoWrite", done, call_id="2"), resulted("Todos have been modified successfully.", call_id="2")
    followed = after(team, conversation, 0.82, *ended)
    assert (followed.decision.should_handoff, followed.decision.due) == (False, True)
    assert followed.handoff.metadata["triggerReason"] == "A task was finished at 82% of the context window"


def test_from_80_percent_on_everything_is_folded(team):
    conversation = opened(team)
    after(team, conversation, 0.81)
    conversation.refresh_from_db()
    assert conversation.folded_seq == conversation.last_seq


def test_after_a_resume_it_cools_down(team):
    heir = resumption.resume(team=team, handoff_id=after(team, opened(team), 0.9).handoff.id).conversation
    assert after(team, heir, 0.9).decision.held == Hold.COOLDOWN
    Resumption.objects.update(created_at=timezone.now() - timedelta(minutes=3))
    assert after(team, heir, 0.91).decision.held == Hold.STALLED


def test_a_handoff_that_freed_the_window_is_repeated(team):
    heir = resumption.resume(team=team, handoff_id=after(team, opened(team), 0.9).handoff.id).conversation
    Resumption.objects.update(created_at=timezone.now() - timedelta(minutes=3))
    after(team, heir, 0.2)
    followed = after(team, heir, 0.9)
    assert followed.decision.held is None
    assert (followed.handoff.position, followed.handoff.conversation) == (2, heir)


def test_what_people_withdrew_is_not_made_again_at_once(team):
    conversation = opened(team)
    first = after(team, conversation, 0.86).handoff
    lifecycle.withdraw(team=team, handoff_id=first.id, author=Author())
    assert after(team, conversation, 0.88).decision.held == Hold.STALLED
    assert after(team, conversation, 0.93).handoff.id != first.id


def test_the_conversations_policy_goes_before_the_teams(team):
    conversation, other = opened(team), opened(team)
    policies.change(team=team, conversation=None, changes={"automatic": False, "budget": 300}, author=Author())
    policies.change(
        team=team, conversation=conversation, changes={"automatic": True, "handoff_at": 0.6, "boundary_at": 0.6}, author=Author()
    )
    assert after(team, other, 0.9).decision.held == Hold.SWITCHED_OFF
    followed = after(team, conversation, 0.65)
    assert followed.handoff.token_budget == 300
    policies.change(team=team, conversation=None, changes={"automatic": None}, author=Author())
    assert after(team, other, 0.91).handoff is not None


def test_under_review_every_package_is_a_draft(team):
    policies.change(team=team, conversation=None, changes={"review": True}, author=Author())
    followed = after(team, opened(team), 0.9)
    assert followed.handoff.status == HandoffStatus.DRAFT


@pytest.mark.parametrize("changes", [{"handoff_at": 1.5}, {"boundary_at": 0.9}, {"budget": 10}, {"colour": 1}, {"cooldown_seconds": 10**8}])
def test_a_policy_that_makes_no_sense_is_refused(team, changes):
    with pytest.raises(Invalid):
        policies.change(team=team, conversation=None, changes=changes, author=Author())
    assert policies.effective(team=team).policy.handoff_at == 0.85


def test_a_window_that_grows_by_what_is_not_recorded_is_near_its_end_too(team):
    conversation = opened(team)
    for share in (0.20, 0.40, 0.60, 0.78):
        followed = after(team, conversation, share)
    assert followed.decision.remaining_turns == 1
    assert followed.decision.event == "ContextLimitApproaching"


def test_the_approaching_limit_is_an_event_of_its_own(team):
    conversation = opened(team)
    for share in (0.30, 0.60, 0.76, 0.78):
        followed = after(team, conversation, share, said("alpha beta " * 80))
    assert followed.decision.event == "ContextLimitApproaching"
    told = Event.objects.get(name="ContextLimitApproaching", subject_id=conversation.id)
    assert told.payload["remaining_turns"] <= 5
