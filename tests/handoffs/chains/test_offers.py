"""Handing a package over to a named teammate."""

import pytest

from continuity.core.errors import Conflict, Invalid, NotYours
from continuity.models import Event, Role
from continuity.services.accounts import accounts
from handoffs.models import OfferAnswer
from handoffs.services.chains import offers, resumption
from handoffs.services.packages import preparation
from handoffs.services.packages.authors import Author
from tests.cast import person
from tests.handoffs.story import story


@pytest.fixture
def handoff(team, owner):
    options = preparation.options_of()
    return preparation.prepare(team=team, conversation_id=story(team).id, options=options, owner=owner)


def told(handoff):
    return list(Event.objects.filter(subject_id=handoff.id, name__contains="offer").order_by("created_at").values_list("name", flat=True))


def test_it_works(team, handoff, owner, teammate):
    offered = offers.offer(team=team, handoff_id=handoff.id, to="Teammate@example.com", author=Author(user=owner))
    assert (offered.offered_to, offered.owner) == (teammate, owner)
    accepted = offers.accept(team=team, handoff_id=handoff.id, author=Author(user=teammate))
    assert (accepted.offered_to, accepted.owner) == (None, teammate)
    assert told(handoff) == ["handoff.offered", "handoff.offer_accepted"]
    assert resumption.resume(team=team, handoff_id=handoff.id).conversation.owner == teammate


def test_who_declines_leaves_it_with_its_owner(team, handoff, owner, teammate):
    offers.offer(team=team, handoff_id=handoff.id, to=teammate.email, author=Author(user=owner))
    declined = offers.decline(team=team, handoff_id=handoff.id, author=Author(user=teammate))
    assert (declined.offered_to, declined.owner) == (None, owner)
    assert told(handoff)[-1] == "handoff.offer_declined"


def test_an_offer_is_taken_back_before_it_is_answered(team, handoff, owner, teammate):
    offers.offer(team=team, handoff_id=handoff.id, to=teammate.email, author=Author(user=owner))
    offers.take_back(team=team, handoff_id=handoff.id, author=Author(user=owner))
    with pytest.raises(Conflict):
        offers.accept(team=team, handoff_id=handoff.id, author=Author(user=teammate))
    assert told(handoff)[-1] == "handoff.offer_taken_back"


def test_only_the_one_who_was_named_may_answer(team, handoff, owner, teammate):
    offers.offer(team=team, handoff_id=handoff.id, to=teammate.email, author=Author(user=owner))
    for author in (Author(user=owner), Author()):
        with pytest.raises(NotYours):
            offers.accept(team=team, handoff_id=handoff.id, author=author)


def test_nobody_gives_away_what_is_another_ones(team, handoff, teammate):
    third = person("third")
    accounts.add_member(team=team, user=third, role=Role.MEMBER)
    with pytest.raises(NotYours):
        offers.offer(team=team, handoff_id=handoff.id, to=third.email, author=Author(user=teammate))


@pytest.mark.parametrize("to", ["outsider@example.com", "nobody@example.com", ""])
def test_it_is_offered_to_members_only(team, handoff, owner, outsider, to):
    with pytest.raises(Invalid):
        offers.offer(team=team, handoff_id=handoff.id, to=to, author=Author(user=owner))


def test_a_viewer_can_not_take_it_over(team, handoff, owner):
    viewer = person("viewer")
    accounts.add_member(team=team, user=viewer, role=Role.VIEWER)
    with pytest.raises(Invalid):
        offers.offer(team=team, handoff_id=handoff.id, to=viewer.email, author=Author(user=owner))


def answers(user):
    return list(OfferAnswer.objects.filter(giver=user).values_list("answered_by__email", "accepted"))


@pytest.mark.parametrize(("answer", "accepted"), [(offers.accept, True), (offers.decline, False)])
def test_who_offered_is_told_of_the_answer_until_it_is_seen(team, handoff, owner, teammate, answer, accepted):
    offers.offer(team=team, handoff_id=handoff.id, to=teammate.email, author=Author(user=owner))
    assert answers(owner) == []
    answer(team=team, handoff_id=handoff.id, author=Author(user=teammate))
    assert answers(owner) == [(teammate.email, accepted)]
    for by in (teammate, owner, owner):
        offers.answer_seen(handoff=handoff, by=by)
    assert answers(owner) == []
    assert Event.objects.filter(name="handoff.answer_seen").count() == 1


def test_an_answer_is_forgotten_when_the_handoff_is_offered_anew(team, handoff, owner, teammate):
    for number in range(2):
        offers.offer(team=team, handoff_id=handoff.id, to=teammate.email, author=Author(user=owner))
        assert answers(owner) == [], number
        offers.decline(team=team, handoff_id=handoff.id, author=Author(user=teammate))
    assert answers(owner) == [(teammate.email, False)]


def test_what_a_key_offered_is_told_to_nobody(team, handoff, teammate):
    offers.offer(team=team, handoff_id=handoff.id, to=teammate.email, author=Author())
    offers.decline(team=team, handoff_id=handoff.id, author=Author(user=teammate))
    assert not OfferAnswer.objects.exists()
