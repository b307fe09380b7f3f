"""A package whose check failed: it says what is missing, and only an operator, with a reason, lets it pass."""

import pytest

from continuity.core.errors import Conflict, Invalid, NotEditable, NotResumable
from continuity.models import Event
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from handoffs.models import HandoffOverride, HandoffStatus
from handoffs.services.chains import offers, resumption
from handoffs.services.edits import package_edits
from handoffs.services.packages import check_override, preparation
from handoffs.services.packages.authors import Author
from tests.handoffs.story import overloaded, story
from tests.words import called, said

REASON = "The customer waits; the rest of the list is in the ticket."


@pytest.fixture
def failed(team):
    return prepare(overloaded(team), budget=150)


def prepare(conversation, budget):
    options = preparation.options_of(budget=budget)
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=options)


def override(handoff, owner, reason=REASON):
    made = check_override.override(team=handoff.team, handoff_id=handoff.id, author=Author(owner), reason=reason)
    handoff.refresh_from_db()
    return made


def test_it_works(failed, owner):
    made = override(failed, owner)
    assert failed.status == HandoffStatus.READY
    assert (made.made_by, made.made_as, made.reason) == (owner, owner.email, REASON)
    assert made.score == failed.fidelity_score < 0.85
    resumed = resumption.resume(team=failed.team, handoff_id=failed.id)
    assert resumed.handoff.status == HandoffStatus.RESUMED


def test_a_failed_package_says_exactly_what_is_missing(failed):
    issues = failed.fidelity["issues"]
    assert failed.status == HandoffStatus.FAILED
    assert issues
    assert all(issue["description"].rstrip(".") in failed.failure for issue in issues[:10])


def test_a_failed_package_is_never_offered_for_resumption(failed, teammate):
    with pytest.raises(NotResumable):
        resumption.resume(team=failed.team, handoff_id=failed.id)
    with pytest.raises(NotEditable):
        offers.offer(team=failed.team, handoff_id=failed.id, to=teammate.email, author=Author())


def test_an_override_keeps_what_was_missing_and_is_told(failed, owner):
    made = override(failed, owner)
    assert made.missing == [issue["description"] for issue in failed.fidelity["issues"]]
    event = Event.objects.get(name="handoff.overridden")
    assert event.subject_id == failed.id
    assert event.payload["missing"] == len(made.missing)


@pytest.mark.parametrize("reason", ["", "  \n", "x" * 2001])
def test_a_reason_is_needed(failed, owner, reason):
    with pytest.raises(Invalid, match="reason"):
        override(failed, owner, reason)


def test_what_passes_needs_no_override(team, owner):
    with pytest.raises(NotEditable):
        override(prepare(story(team), budget=4000), owner)


def test_it_holds_for_messages_that_came_after_as_long_as_nothing_else_is_missing(failed, owner):
    override(failed, owner)
    conversations.append(team=failed.team, conversation_id=failed.conversation_id, messages=[said("Go on, please.")])
    assert resumption.resume(team=failed.team, handoff_id=failed.id).handoff.status == HandoffStatus.RESUMED


def test_it_ends_where_something_else_is_missing_too(failed, owner):
    override(failed, owner)
    todos = [{"content": f"Translate chapter {n} of the handbook into Dutch", "status": "pending"} for n in range(60)]
    call = called("TodoWrite", {"todos": todos}, call_id="more")
    conversations.append(team=failed.team, conversation_id=failed.conversation_id, messages=[call])
    with pytest.raises(NotResumable):
        resumption.resume(team=failed.team, handoff_id=failed.id)


def test_a_change_that_mends_the_package_ends_it(failed, owner):
    override(failed, owner)
    made = package_edits.regenerate(team=failed.team, handoff_id=failed.id, author=Author(owner), changes={"budget": 8000})
    assert made.status == HandoffStatus.READY
    assert HandoffOverride.objects.get(handoff=failed).ended_at is not None


def test_a_change_after_which_nothing_else_is_missing_keeps_it(failed, owner):
    override(failed, owner)
    made = package_edits.regenerate(team=failed.team, handoff_id=failed.id, author=Author(owner), changes={"note": "Mind the list."})
    assert made.fidelity_score < 0.85
    assert made.status == HandoffStatus.READY
    assert check_override.override_of(made) is not None


def test_a_change_after_which_something_else_is_missing_is_refused(failed, owner):
    override(failed, owner)
    todos = [{"content": f"Translate chapter {n} of the handbook into Dutch", "status": "pending"} for n in range(60)]
    conversations.append(
        team=failed.team, conversation_id=failed.conversation_id, messages=[called("TodoWrite", {"todos": todos}, call_id="more")]
    )
    fold_runner.catch_up(conversation_id=failed.conversation_id)
    with pytest.raises(Conflict):
        package_edits.regenerate(team=failed.team, handoff_id=failed.id, author=Author(owner), changes={"note": "Mind the list."})
    assert check_override.override_of(failed) is not None
