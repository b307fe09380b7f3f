"""Ratings when what they speak of is erased."""

import pytest

from continuity.services.recording import conversations
from handoffs.models import HandoffRating
from handoffs.services.chains import resumption
from handoffs.services.erasure import erasing
from handoffs.services.packages import preparation
from handoffs.services.packages.authors import Author
from handoffs.services.ratings import rating
from handoffs.services.ratings.rating import Ratings
from tests.handoffs.story import story
from tests.words import said

pytestmark = pytest.mark.django_db
WORDS = "zebra crossing"


@pytest.fixture
def chain(team, owner):
    """A conversation, its handoff, the session that went on, and that one's handoff, each rated."""
    first = story(team)
    made = preparation.prepare(team=team, conversation_id=first.id, options=preparation.options_of())
    heir = resumption.resume(team=team, handoff_id=made.id, resumed_by=owner).conversation
    conversations.append(team=team, conversation_id=heir.id, messages=[said("Go on with the queue.")])
    later = preparation.prepare(team=team, conversation_id=heir.id, options=preparation.options_of())
    resumption.resume(team=team, handoff_id=later.id, resumed_by=owner)
    for handoff in (made, later):
        said_of = Ratings(useful=False, missing=[f"The {WORDS} in front of it."])
        rating.rate(team=team, handoff_id=handoff.id, author=Author(owner), ratings=said_of)
    return first, heir


def erase(team, owner, conversation):
    return erasing.erase_conversation(team=team, conversation_id=conversation.id, by=erasing.By(owner.email, owner))


def test_it_works(team, owner, chain):
    """With the first conversation go the ratings of its package, and those of packages that knew of it."""
    erasure = erase(team, owner, chain[0])
    assert not HandoffRating.objects.exists()
    assert erasure.removed["handoffrating"] == 4


def test_with_a_successor_goes_what_it_said_of_the_package_that_it_went_on_from(team, owner, chain):
    erase(team, owner, chain[1])
    assert not HandoffRating.objects.exists()


def test_what_nobody_knows_the_session_of_goes_with_any_of_them(team, owner, chain):
    HandoffRating.objects.update(resumption=None)
    erase(team, owner, chain[1])
    assert not HandoffRating.objects.exists()


def test_redacted_words_are_gone_from_ratings(team, owner, chain):
    erasing.erase_words(team=team, conversation_id=chain[0].id, words=WORDS, by=erasing.By(owner.email, owner))
    assert HandoffRating.objects.count() == 4
    assert not HandoffRating.objects.filter(text__contains=WORDS).exists()


def test_a_team_takes_its_ratings_with_it(team, chain):
    team.delete()
    assert not HandoffRating.objects.exists()
