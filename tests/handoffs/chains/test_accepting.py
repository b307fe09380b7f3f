"""Accepting an offer: whose turn it is then, and where the giver's note goes."""

from typing import NoReturn

import pytest
from django.utils import timezone

from continuity.core.errors import Conflict, NotYours
from continuity.knowledge.model import TaskStatus
from continuity.models import Conversation, Scope
from handoffs.attention import attention
from handoffs.models import Handoff, HandoffEdit
from handoffs.services.chains import offer_acceptance, offers, resumption
from handoffs.services.edits import package_edits, undo
from handoffs.services.packages import preparation
from handoffs.services.packages.authors import Author
from tests.factories import TaskFactory
from tests.handoffs.story import story
from tests.web.world import browser

NOTE = "The lease test is left; I am back in two weeks."


@pytest.fixture
def handoff(team, owner, teammate):
    """Offered to the teammate with a note."""
    conversation = story(team)
    Conversation.objects.filter(id=conversation.id).update(owner=owner)
    options = preparation.options_of(note="Mind the tides.")
    made = preparation.prepare(team=team, conversation_id=conversation.id, options=options, owner=owner)
    return offers.offer(team=team, handoff_id=made.id, to=teammate.email, author=Author(user=owner), note=NOTE)


@pytest.fixture
def accepted(team, handoff, teammate):
    return offer_acceptance.accept(team=team, handoff_id=handoff.id, author=Author(user=teammate))


def needs(team, user):
    return attention(team=team, user=user, now=timezone.now(), scopes=list(Scope))


def test_it_works(team, accepted, owner, teammate):
    assert (accepted.owner, accepted.offered_to, accepted.offered_by, accepted.offer_note) == (teammate, None, owner, NOTE)
    assert f"Note from the previous owner: Mind the tides. {NOTE}" in accepted.text
    assert accepted.status == "ready"
    assert offer_acceptance.holds_offer_note(accepted)
    told = {edit.action: edit.made_by for edit in HandoffEdit.objects.filter(handoff=accepted)}
    assert told == {"accept": teammate, "regenerate": teammate}


def test_it_waits_at_home_until_it_is_resumed(team, accepted, owner, teammate):
    assert [row.id for row in needs(team, teammate).accepted.rows] == [accepted.id]
    assert not needs(team, owner).accepted
    page = browser(teammate).get("/").content.decode()
    assert "Accepted, to be resumed" in page
    assert "Offer accepted: " in page
    resumption.resume(team=team, handoff_id=accepted.id)
    assert not needs(team, teammate).accepted


def test_it_no_longer_waits_once_somebody_went_on_from_a_later_one(team, accepted, owner, teammate):
    later = preparation.prepare(team=team, conversation_id=accepted.conversation_id, options=preparation.options_of(), owner=owner)
    assert needs(team, teammate).accepted
    resumption.resume(team=team, handoff_id=later.id)
    assert not needs(team, teammate).accepted


def test_the_pages_tell_who_gave_it_and_with_which_words(team, accepted, owner, teammate):
    page = browser(teammate).get(f"/handoffs/{accepted.id}").content.decode()
    assert f"Handed over by <strong>{owner}</strong>, with this note: “{NOTE}”" in page
    assert "Offer accepted" in browser(owner).get(f"/handoffs/{accepted.id}/history").content.decode()
    of_session = f"/conversations/{accepted.conversation_id}"
    assert "waits for you." in browser(teammate).get(of_session).content.decode()
    assert f"waits for {teammate}." in browser(owner).get(of_session).content.decode()


def test_whose_work_was_accepted_is_not_told_of_its_blocked_tasks(team, handoff, owner, teammate):
    blocked = {"status": TaskStatus.BLOCKED, "blocking_reason": "The Frisian file is not here."}
    TaskFactory.create(team=team, conversation=handoff.conversation, **blocked)
    assert needs(team, owner).blocked
    offer_acceptance.accept(team=team, handoff_id=handoff.id, author=Author(user=teammate))
    assert not needs(team, owner).blocked
    home = browser(teammate).get("/").content.decode()
    assert "Waits. The agent said: “The Frisian file is not here.”" in home, "who accepted is told instead"


def test_where_the_directive_cannot_be_made_again_it_is_accepted_all_the_same(team, handoff, teammate, monkeypatch):
    def refused(**_: object) -> NoReturn:
        raise Conflict("With this change the package would fail its check.")

    monkeypatch.setattr(package_edits, "regenerate", refused)
    accepted = offer_acceptance.accept(team=team, handoff_id=handoff.id, author=Author(user=teammate))
    stored = Handoff.objects.get(id=handoff.id)
    assert (stored.owner, stored.offer_note, stored.text) == (teammate, NOTE, handoff.text)
    assert accepted.version == stored.version
    assert not offer_acceptance.holds_offer_note(accepted)


def test_the_note_can_be_taken_out_again_but_not_the_acceptance(team, accepted, teammate):
    accept, note = (HandoffEdit.objects.get(handoff=accepted, action=action) for action in ("accept", "regenerate"))
    undo.undo(team=team, handoff_id=accepted.id, edit_id=note.id, author=Author(user=teammate))
    assert NOTE not in Handoff.objects.get(id=accepted.id).text
    with pytest.raises(Conflict, match="offer the handoff back"):
        undo.undo(team=team, handoff_id=accepted.id, edit_id=accept.id, author=Author(user=teammate))


def test_who_gave_it_away_cannot_give_it_once_more(team, accepted, owner):
    with pytest.raises(NotYours):
        offers.offer(team=team, handoff_id=accepted.id, to=owner.email, author=Author(user=owner))
