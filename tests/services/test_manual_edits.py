"""What people change about anchors: it counts at once, it can be taken back, and a re-fold leaves it alone."""

import pytest

from continuity.core.errors import Conflict, Invalid, NotFound, SessionInvalidated
from continuity.knowledge.model import AnchorState, Truth
from continuity.models import Anchor, Event
from continuity.services.knowledge import fold_runner, manual_edits
from continuity.services.knowledge.manual_edits import Amendment
from continuity.services.recording import conversations
from tests.handoffs.story import DECISION, story


@pytest.fixture
def anchor(team):
    conversation = story(team)
    fold_runner.catch_up(conversation_id=conversation.id)
    return Anchor.objects.get(conversation=conversation, text=DECISION)


def amend(anchor, change, by=None, text=""):
    return manual_edits.amend(team=anchor.team, conversation_id=anchor.conversation_id, key=anchor.key, change=change, by=by, text=text)


def test_it_works(anchor, owner):
    assert amend(anchor, Amendment.PIN, owner).pinned
    corrected = amend(anchor, Amendment.CORRECT, owner, "  Use Postgres 15 for the queue. ")
    assert (corrected.text, corrected.edited_by) == ("Use Postgres 15 for the queue.", owner)
    told = Event.objects.filter(name="anchor.changed").order_by("created_at", "id").values_list("payload__change", flat=True)
    assert sorted(told) == ["correct", "pin"]


def test_what_is_dismissed_comes_back(anchor, owner):
    assert amend(anchor, Amendment.DISMISS, owner).state == AnchorState.DISMISSED
    assert amend(anchor, Amendment.RESTORE, owner).state == AnchorState.CURRENT


def test_a_replacement_takes_the_place_and_goes_with_the_undo(anchor, owner):
    old = amend(anchor, Amendment.SUPERSEDE, owner, "Use Valkey for the queue.")
    new = Anchor.objects.get(conversation=anchor.conversation, key=old.superseded_by)
    assert (old.state, new.state, new.type, new.pinned) == (AnchorState.SUPERSEDED, AnchorState.CURRENT, old.type, True)
    assert amend(anchor, Amendment.RESTORE, owner).state == AnchorState.CURRENT
    new.refresh_from_db()
    assert new.state == AnchorState.DISMISSED


def test_a_refold_keeps_what_was_changed(anchor, owner):
    amend(anchor, Amendment.CORRECT, owner, "Use Postgres 15.")
    fold_runner.rewind(conversation=anchor.conversation, to=1)
    fold_runner.catch_up(conversation_id=anchor.conversation_id)
    anchor.refresh_from_db()
    assert anchor.text == "Use Postgres 15."


@pytest.mark.parametrize("text", ["", "   ", "x" * (manual_edits.LONGEST + 1)])
@pytest.mark.parametrize("change", [Amendment.CORRECT, Amendment.SUPERSEDE])
def test_words_are_needed_and_bounded(anchor, change, text):
    with pytest.raises(Invalid):
        amend(anchor, change, text=text)


def test_only_what_is_current_is_changed_and_only_what_is_not_is_restored(anchor):
    with pytest.raises(Conflict):
        amend(anchor, Amendment.RESTORE)
    amend(anchor, Amendment.DISMISS)
    with pytest.raises(Conflict):
        amend(anchor, Amendment.PIN)


def test_an_outsiders_team_finds_nothing(anchor, other_team):
    with pytest.raises(NotFound):
        manual_edits.amend(team=other_team, conversation_id=anchor.conversation_id, key=anchor.key, change=Amendment.PIN, by=None)


def test_an_ended_conversation_is_left_as_it_is(anchor, team):
    conversations.invalidate(team=team, conversation_id=anchor.conversation_id)
    with pytest.raises(SessionInvalidated):
        amend(anchor, Amendment.PIN)


def test_what_a_person_corrects_is_stated_and_an_undo_takes_that_back(anchor, owner):
    Anchor.objects.filter(id=anchor.id).update(truth=Truth.CLAIMED)
    anchor.refresh_from_db()
    assert amend(anchor, Amendment.CORRECT, owner, "Use Postgres 15.").truth == Truth.STATED
    Anchor.objects.filter(id=anchor.id).update(truth=Truth.CLAIMED)
    assert amend(anchor, Amendment.CORRECT, None, "Use Postgres 16.").truth == Truth.CLAIMED
    assert amend(anchor, Amendment.PIN, owner).truth == Truth.CLAIMED
