"""Where a conversation's work stands, and how its window filled, as its page reads them."""

from __future__ import annotations

from continuity import knowledge
from continuity.knowledge.model import Situation
from continuity.models import FoldState
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from handoffs import queries
from tests.handoffs.story import story


def folded(team):
    conversation = story(team)
    fold_runner.catch_up(conversation_id=conversation.id)
    return conversation


def test_it_works(team, django_assert_num_queries):
    conversation = folded(team)
    with django_assert_num_queries(1):
        standing = queries.state_of(conversation)
    assert standing.situation.cwd == "/srv/app"
    assert standing.curve.points


def test_it_is_that_of_the_whole_fold(team):
    conversation = folded(team)
    fold = FoldState.objects.get(conversation=conversation)
    assert fold.outline is not None
    assert queries.state_of(conversation).situation == knowledge.situation(knowledge.FoldState.outline(fold.state))


def test_a_fold_without_an_outline_stands_where_one_with_it_does(team):
    conversation = folded(team)
    standing = queries.state_of(conversation)
    FoldState.objects.filter(conversation=conversation).update(outline=None)
    assert queries.state_of(conversation) == standing


def test_what_older_rules_folded_says_nothing_but_how_the_window_filled(team):
    conversation = folded(team)
    fold, curve = FoldState.objects.get(conversation=conversation), queries.state_of(conversation).curve
    for outline in ({**(fold.outline or {}), "rules_version": 0}, None):
        FoldState.objects.filter(id=fold.id).update(state={**fold.state, "rules_version": 0}, outline=outline)
        assert queries.state_of(conversation) == queries.ConversationState(Situation(), curve, {})


def test_what_is_not_folded_stands_nowhere(team):
    standing = queries.state_of(conversations.create(team=team))
    assert standing.situation == Situation() and not standing.curve.points
