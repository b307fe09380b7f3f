"""Ratings of a received handoff: stored, replaced, bounded, counted, and kept to the team."""

from uuid import uuid4

import pytest

from continuity.core.errors import Conflict, Invalid, NotFound
from continuity.models import Event
from diagnostics.measuring.observing import observe
from handoffs.briefing import read_briefing
from handoffs.contract.model import Style
from handoffs.models import HandoffRating, RatingKind
from handoffs.services.chains import resumption
from handoffs.services.packages import handoffs, preparation
from handoffs.services.packages.authors import Author
from handoffs.services.ratings import rating, rating_queries
from handoffs.services.ratings.rating import MOST, Ratings
from handoffs.services.ratings.rating_rows import WrongLine
from tests.handoffs.story import story

pytestmark = pytest.mark.django_db
SECRET = "ghp_" + "x1Y2z3A4b5C6d7E8f9G0" + "h1J2k3L4m5N6p7Q8"


@pytest.fixture
def handoff(team):
    made = preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of())
    resumption.resume(team=team, handoff_id=made.id)
    return handoffs.get(team=team, handoff_id=made.id)


def rate(handoff, author=Author(), style="", conversation_id=None, **told):
    place = {"team": handoff.team, "handoff_id": handoff.id, "author": author}
    return rating.rate(ratings=Ratings(**told), style=style, conversation_id=conversation_id, **place)


def rating_row(handoff, text):
    return HandoffRating(team=handoff.team, handoff=handoff, version=handoff.version, kind="missing", key=text, text=text)


def lines_of(handoff):
    return read_briefing(handoffs.directive_text(handoff), Style(handoff.style)).lines


def test_it_works(handoff, owner):
    line = lines_of(handoff)[0]
    wrong = WrongLine(str(line.number), "It was done.")
    rate(handoff, Author(owner), useful=True, wrong_lines=[wrong], missing=["Which port it listens on."])
    by_kind = {row.kind: row for row in rating_queries.ratings_of(handoff)}
    assert by_kind[RatingKind.USEFUL].useful is True
    assert by_kind[RatingKind.WRONG_LINE].excerpt == line.excerpt
    assert (by_kind[RatingKind.WRONG_LINE].line, by_kind[RatingKind.WRONG_LINE].text) == (line.number, "It was done.")
    assert by_kind[RatingKind.MISSING].text == "Which port it listens on."
    assert {row.made_by for row in by_kind.values()} == {owner}
    assert {row.resumption and row.resumption.handoff_id for row in by_kind.values()} == {handoff.id}
    counts = rating_queries.of_handoff(handoff)
    assert (counts.useful, counts.not_useful, counts.wrong_line, counts.missing) == (1, 0, 1, 1)


def test_the_same_author_replaces_and_another_adds(handoff, owner, teammate):
    line = str(lines_of(handoff)[0].number)
    rate(handoff, Author(owner), useful=True, wrong_lines=[WrongLine(line, "First.")])
    rate(handoff, Author(owner), useful=False, wrong_lines=[WrongLine(line, "Second."), WrongLine(line, "Third.")])
    rate(handoff, Author(teammate), useful=True)
    rows = rating_queries.ratings_of(handoff)
    assert [row.text for row in rows if row.kind == RatingKind.WRONG_LINE] == ["Third."]
    assert sorted(bool(row.useful) for row in rows if row.kind == RatingKind.USEFUL) == [False, True]
    events = [event.payload["ratings"] for event in Event.objects.filter(name="handoff.rated").order_by("created_at")]
    assert events == [{"useful": 1, "wrong_line": 1}, {}, {"useful": 1}]


def test_all_are_counted_and_ones_own_are_shown_however_many_others_are(handoff, owner):
    own = rate(handoff, Author(owner), useful=False, missing=["The port."])
    others = [rating_row(handoff, f"Thing {number}") for number in range(rating_queries.SHOWN)]
    HandoffRating.objects.bulk_create(others)
    assert len(rating_queries.ratings_of(handoff)) == rating_queries.SHOWN
    assert {row.id for row in own}.isdisjoint(row.id for row in rating_queries.ratings_of(handoff))
    assert {row.id for row in rating_queries.ratings_of(handoff, first=owner)[:2]} == {row.id for row in own}
    counts = rating_queries.of_handoff(handoff)
    assert (counts.not_useful, counts.missing) == (1, rating_queries.SHOWN + 1)


def test_a_line_is_named_by_number_reference_key_or_words(handoff):
    line = next(line for line in lines_of(handoff) if line.reference.startswith("a"))
    for named in (str(line.number), line.reference, f"[{line.reference}!]", line.key, line.words):
        assert [row.key for row in rate(handoff, wrong_lines=[WrongLine(named)])] == [line.key]
    assert HandoffRating.objects.count() == 1


def test_a_line_has_the_same_key_in_every_style(handoff):
    line = next(line for line in lines_of(handoff) if line.reference.startswith("a"))
    for style in Style:
        assert rate(handoff, style=style.value, wrong_lines=[WrongLine(line.reference)])[0].key == line.key


@pytest.mark.parametrize("style", Style)
def test_a_line_keeps_its_number_in_the_packages_own_style(handoff, style):
    own = {line.key: line.number for line in lines_of(handoff)}
    shown = read_briefing(handoffs.directive_text(handoff, style=style.value), style).lines
    for row in rate(handoff, style=style.value, wrong_lines=[WrongLine(str(line.number)) for line in shown]):
        assert row.line == own[row.key]


def test_a_line_that_the_own_style_does_not_have_has_no_number(handoff):
    handoff.text = "--- SESSION CONTINUATION ---\n## Now\n- Nothing is left.\n--- END CONTINUATION ---\n"
    handoff.save()
    assert rate(handoff, style="narrative", wrong_lines=[WrongLine("a1")])[0].line == 0


@pytest.mark.parametrize(
    ("told", "field"),
    [
        ({}, "useful"),
        ({"wrong_lines": [WrongLine("9999")]}, "wrong_lines.0.line"),
        ({"wrong_lines": [WrongLine("a9999")]}, "wrong_lines.0.line"),
        ({"wrong_lines": [WrongLine("Nobody ever said this here")]}, "wrong_lines.0.line"),
        ({"wrong_lines": [WrongLine(" ")]}, "wrong_lines.0.line"),
        ({"wrong_lines": [WrongLine("x" * 501)]}, "wrong_lines.0.line"),
        ({"wrong_lines": [WrongLine("a1", "x" * 501)]}, "wrong_lines.0.comment"),
        ({"missing": ["Well.", " "]}, "missing.1"),
        ({"missing": ["x" * 501]}, "missing.0"),
    ],
)
def test_a_refusal_names_the_field_and_keeps_nothing(handoff, told, field):
    with pytest.raises(Invalid) as refused:
        rate(handoff, **({"useful": True} | told if told else {}))
    assert refused.value.data["field"] == field
    assert not HandoffRating.objects.exists()


def test_words_of_several_lines_name_none(handoff):
    with pytest.raises(Invalid, match="Several lines"):
        rate(handoff, wrong_lines=[WrongLine("queue")])


def test_no_author_says_more_than_is_kept(handoff, owner):
    most = MOST[RatingKind.MISSING]
    rate(handoff, Author(owner), missing=[f"Thing {number}" for number in range(most)])
    with pytest.raises(Conflict, match=f"At most {most} missing things"):
        rate(handoff, Author(owner), missing=["One more."])
    assert HandoffRating.objects.count() == most
    rate(handoff, Author(owner), missing=["Thing 0"])  # said again it is none more
    assert HandoffRating.objects.count() == most


def test_what_nobody_resumed_is_not_rated(team):
    made = preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of())
    with pytest.raises(Conflict, match="Nobody resumed"):
        rate(made, useful=True)


def test_secrets_are_masked_before_they_are_stored(handoff):
    rate(handoff, missing=[f"The token is {SECRET}."])
    assert SECRET not in HandoffRating.objects.get().text


def test_only_ones_own_rating_is_taken_back(handoff, owner, teammate):
    row = rate(handoff, Author(owner), useful=True)[0]
    place = {"team": handoff.team, "handoff_id": handoff.id, "rating_id": row.id}
    with pytest.raises(NotFound):
        rating.take_back(author=Author(teammate), **place)
    rating.take_back(author=Author(owner), **place)
    row = rate(handoff, Author(owner), useful=True)[0]
    rating.take_back(author=Author(teammate), anyones=True, **place | {"rating_id": row.id})
    assert not HandoffRating.objects.exists()


def test_a_session_that_did_not_resume_it_can_not_be_named(handoff):
    with pytest.raises(NotFound):
        rate(handoff, useful=True, conversation_id=uuid4())


def test_other_teams_see_and_count_nothing(handoff, outsider, other_team):
    rate(handoff, useful=True)
    with pytest.raises(NotFound):
        rating.rate(team=other_team, handoff_id=handoff.id, author=Author(outsider), ratings=Ratings(useful=True))
    assert not rating_queries.of_team(team=other_team, since=handoff.created_at).any
    assert rating_queries.of_team(team=handoff.team, since=handoff.created_at).useful == 1


def test_metrics_count_each_kind_once():
    seen = [(found.value, found.labels) for found in observe("handoff.rated", "x", {"ratings": {"useful": 1, "missing": 3}})]
    assert seen == [(1, (("kind", "useful"),)), (3, (("kind", "missing"),))]
