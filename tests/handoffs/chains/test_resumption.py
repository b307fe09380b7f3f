"""Resuming: once, from the predecessor's fold, with everything restored."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from continuity.core.errors import AlreadyResumed, HandoffGone, NotFound, NotResumable, SessionInvalidated
from continuity.models import Anchor, Conversation, ConversationStatus, Task
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from handoffs.models import Handoff, HandoffStatus, Resumption
from handoffs.services.chains import chains, resumption
from handoffs.services.packages import preparation
from tests.handoffs.story import DECISION, NAMES, RULE, story
from tests.words import answered, called, resulted, said


def prepare(conversation, budget=4000, **more):
    options = preparation.options_of(budget=budget)
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=options, **more)


def resume(handoff, **more):
    return resumption.resume(team=handoff.team, handoff_id=handoff.id, **more)


def test_it_works(team):
    handoff = prepare(story(team))
    resumed = resume(handoff)
    assert resumed.conversation.resumed_from == handoff.conversation
    assert resumed.restored_anchors == len(handoff.anchors)
    assert resumed.resumption.report["isSeamless"], resumed.resumption.report["missingElements"]
    handoff.refresh_from_db()
    assert handoff.status == HandoffStatus.RESUMED
    assert handoff.resumed_conversation == resumed.conversation
    handoff.conversation.refresh_from_db()
    assert handoff.conversation.status == ConversationStatus.HANDED_OFF


def test_a_package_of_few_of_many_anchors_arrives_whole(team):
    """What has room is not what ranks highest: here short errors, and not the later ones that are too long."""
    conversation = story(team)
    tables = ", ".join(f"table {number} of the {name} service" for number, name in enumerate(NAMES * 6))
    for number in range(45):
        failure = f"Error: the build of module {number} failed" + (f" for want of {tables}" if number > 20 else "")
        call = called("Bash", {"command": f"make module-{number}"}, call_id=f"c{number}")
        result = resulted(failure, call_id=f"c{number}", failed=True, exit_code=2)
        conversations.append(team=team, conversation_id=conversation.id, messages=[call, result])
    handoff = prepare(conversation, budget=2000)
    assert len(handoff.anchors) < Anchor.objects.filter(conversation=conversation).current().count()
    report = resume(handoff).resumption.report
    assert (report["isSeamless"], report["missingElements"]) == (True, [])


def test_the_heir_knows_what_its_predecessor_knew(team):
    new = resume(prepare(story(team))).conversation
    texts = " ".join(Anchor.objects.filter(conversation=new).values_list("text", flat=True))
    assert DECISION in texts
    assert RULE in texts
    assert Task.objects.filter(conversation=new).open().exists()
    again = prepare(new)
    assert RULE in again.text
    assert "Write the worker" in again.text


def test_what_the_heir_hears_supersedes_what_it_inherited(team):
    new = resume(prepare(story(team))).conversation
    conversations.append(
        team=team,
        conversation_id=new.id,
        messages=[said("Actually, let's use Redis for the job queue instead of Postgres."), answered("Redis it is.")],
    )
    fold_runner.catch_up(conversation_id=new.id)
    assert "Redis for the job queue" in prepare(new).text


def test_a_second_resume_is_refused_unless_it_is_a_fork(team):
    handoff = prepare(story(team))
    first = resume(handoff)
    with pytest.raises(AlreadyResumed, match="fork=true"):
        resume(handoff)
    branch = resume(handoff, fork=True)
    assert branch.resumption.fork
    assert branch.conversation != first.conversation
    handoff.refresh_from_db()
    assert handoff.resumed_conversation == first.conversation


@pytest.mark.django_db(transaction=True)
def test_two_resumes_at_once_give_one_successor(team):
    handoff, made, refused = prepare(story(team)), [], []

    def work() -> None:
        try:
            made.append(resume(handoff).conversation.id)
        except AlreadyResumed as error:
            refused.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (len(made), len(refused)) == (1, 2)
    assert Resumption.objects.count() == 1
    assert Conversation.objects.count() == 2


def test_messages_after_the_package_are_added_when_it_is_resumed(team):
    conversation = story(team)
    handoff = prepare(conversation)
    late = "Never log the customer's address."
    conversations.append(team=team, conversation_id=conversation.id, messages=[said(late)])
    resumed = resume(handoff)
    assert late in Handoff.objects.get(id=handoff.id).text
    assert resumed.handoff.through_seq == 11
    assert late in " ".join(Anchor.objects.filter(conversation=resumed.conversation).values_list("text", flat=True))


def test_going_on_in_a_conversation_that_was_handed_off_flags_the_package(team, django_capture_on_commit_callbacks):
    conversation = story(team)
    handoff = prepare(conversation)
    resume(handoff)
    with django_capture_on_commit_callbacks(execute=True):
        conversations.append(team=team, conversation_id=conversation.id, messages=[said("And another."), said("And one more.")])
    handoff.refresh_from_db()
    assert handoff.messages_after == 2


def test_what_expired_is_gone(team):
    handoff = prepare(story(team))
    Handoff.objects.filter(id=handoff.id).update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(HandoffGone) as caught:
        resume(handoff)
    assert caught.value.status == 410


def test_a_draft_and_a_stranger_are_refused(team, other_team):
    handoff = prepare(story(team), draft=True)
    with pytest.raises(NotResumable, match="draft"):
        resume(handoff)
    with pytest.raises(NotFound):
        resumption.resume(team=other_team, handoff_id=handoff.id)


def test_an_invalidated_session_is_not_resumed(team):
    handoff = prepare(story(team))
    conversations.invalidate(team=team, conversation_id=handoff.conversation_id)
    with pytest.raises(SessionInvalidated, match="Session invalidated"):
        resume(handoff)


def test_twelve_hops_lose_no_rule(team):
    conversation = story(team)
    for hop in range(12):
        conversations.append(
            team=team, conversation_id=conversation.id, messages=[said(f"Go on with part {hop}."), answered(f"Part {hop} is done.")]
        )
        conversation = resume(prepare(conversation)).conversation
    last = prepare(conversation)
    assert RULE in last.text
    assert DECISION in last.text
    chain = chains.get(team=team, any_id=conversation.id)
    assert chain.total_handoffs == last.position == 13


def test_the_directive_in_the_heirs_first_message_doubles_nothing(team):
    """Our hook or the user gives the new session what its predecessor told: the heir's fold knows it already."""
    handoff = prepare(story(team))
    new = resume(handoff).conversation
    before = sorted(Anchor.objects.filter(conversation=new).values_list("key", "text"))
    tasks = sorted(Task.objects.filter(conversation=new).open().values_list("key", "description"))
    conversations.append(team=team, conversation_id=new.id, messages=[said(handoff.text)])
    fold_runner.catch_up(conversation_id=new.id)
    current = Anchor.objects.filter(conversation=new, state="current")
    assert sorted(current.values_list("key", "text")) == before
    assert sorted(Task.objects.filter(conversation=new).open().values_list("key", "description")) == tasks
    assert prepare(new).text.count(RULE) == handoff.text.count(RULE)
