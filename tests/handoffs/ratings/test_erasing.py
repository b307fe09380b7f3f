"""Ratings when what they speak of is erased."""

import pytest

from continuity.services.recording import conversations
from handoffs.briefing import key_of_words, read_briefing
from handoffs.contract.model import Style
from handoffs.models import Handoff, HandoffRating
from handoffs.services.chains import resumption
from handoffs.services.erasure import erasing
from handoffs.services.packages import handoffs, preparation
from handoffs.services.packages.authors import Author
from handoffs.services.ratings import rating
from handoffs.services.ratings.rating import Ratings
from handoffs.services.ratings.rating_rows import WrongLine
from tests.handoffs.story import story
from tests.words import said

pytestmark = pytest.mark.django_db
WORDS, ERASED = "zebra crossing", "public API"


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


def lines_of(handoff):
    return read_briefing(handoffs.directive_text(handoff), Style(handoff.style)).lines


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


def test_keys_of_ratings_tell_nothing_of_redacted_words(team, owner, chain):
    """They are those of the words as they stand now, and a line's rating still belongs to its line."""
    made = Handoff.objects.get(conversation=chain[0])
    line = next(line for line in lines_of(made) if ERASED in line.text)
    wrong = Ratings(wrong_lines=[WrongLine(str(line.number))], missing=[f"The {ERASED} before.", "Another thing."])
    rows = rating.rate(team=team, handoff_id=made.id, author=Author(owner), ratings=wrong)
    erasing.erase_words(team=team, conversation_id=chain[0].id, words=ERASED, by=erasing.By(owner.email, owner))
    now = [HandoffRating.objects.get(id=row.id) for row in rows]
    made.refresh_from_db()
    stands = next(each for each in lines_of(made) if each.number == line.number)
    assert [row.key for row in now] == [stands.key, key_of_words(f"The {'█' * len(ERASED)} before."), rows[2].key]
    assert line.key != stands.key


def test_a_line_that_stands_there_no_more_is_told_by_its_excerpt(team, owner, chain):
    made = Handoff.objects.get(conversation=chain[0])
    line = next(line for line in lines_of(made) if ERASED in line.text)
    rating.rate(team=team, handoff_id=made.id, author=Author(owner), ratings=Ratings(wrong_lines=[WrongLine(str(line.number))]))
    Handoff.objects.filter(id=made.id).update(version=made.version + 1)
    erasing.erase_words(team=team, conversation_id=chain[0].id, words=ERASED, by=erasing.By(owner.email, owner))
    row = HandoffRating.objects.get(kind="wrong_line")
    assert ERASED not in row.excerpt
    assert row.key == key_of_words(row.excerpt)


def test_what_becomes_the_same_thing_is_kept_once(team, owner, chain):
    made = Handoff.objects.get(conversation=chain[0])
    twins = Ratings(missing=["Marzipan bars. Where?", "Nougatine bar. Where?"])
    rating.rate(team=team, handoff_id=made.id, author=Author(owner), ratings=twins)
    erasing.erase_words(team=team, conversation_id=chain[0].id, words="Marzipan bars. Nougatine bar.", by=erasing.By(owner.email, owner))
    assert HandoffRating.objects.filter(text=f"{'█' * 14} Where?").count() == 1


def test_a_team_takes_its_ratings_with_it(team, chain):
    team.delete()
    assert not HandoffRating.objects.exists()
