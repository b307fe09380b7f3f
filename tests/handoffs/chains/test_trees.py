"""A chain as a tree, and how long it may grow."""

import pytest

from continuity.core.errors import ChainTooLong, Invalid
from continuity.models import Event
from continuity.services.recording import conversations
from continuity.transcripts.base.model import Usage
from handoffs.models import Handoff
from handoffs.policy import Hold
from handoffs.services.chains import chains, resumption, trees
from handoffs.services.packages import automatic, decisions, policies, preparation
from handoffs.services.packages.authors import Author
from tests.handoffs.story import story
from tests.words import answered, said

OPTIONS = preparation.options_of(budget=2000)


def prepare(conversation):
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=OPTIONS)


def go_on(handoff, **how):
    return resumption.resume(team=handoff.team, handoff_id=handoff.id, **how).conversation


def test_it_works(team):
    a = story(team)
    first = prepare(a)
    b, fork = go_on(first), go_on(first, fork=True)
    on_trunk, on_branch = prepare(b), prepare(fork)
    tree = trees.tree_of(chains.get(team=team, any_id=fork.id))
    assert {node.handoff.id: node.branch for node in tree.nodes} == {first.id: 0, on_trunk.id: 0, on_branch.id: 1}
    [root] = [node for node in tree.nodes if node.handoff == first]
    ways = [(way.resumption.conversation_id, way.branch, way.resumption.fork) for way in root.ways]
    assert ways == [(b.id, 0, False), (fork.id, 1, True)]
    assert (tree.branches, tree.conversations, tree.longest, tree.resumptions) == (2, 3, 2, 2)
    assert tree.tokens_carried == first.token_count + on_trunk.token_count + on_branch.token_count


def test_a_second_package_of_a_conversation_that_is_resumed_too_opens_a_branch(team):
    a = story(team)
    first, second = prepare(a), prepare(a)
    b, c = go_on(first), go_on(second)
    tree = trees.tree_of(chains.get(team=team, any_id=a.id))
    assert [way.branch for node in tree.nodes for way in node.ways] == [0, 1]
    assert {prepare(b).position, prepare(c).position} == {2}


def test_reading_a_chain_takes_two_queries(team, django_assert_num_queries):
    handoff = prepare(story(team))
    prepare(go_on(handoff))
    chain = chains.get(team=team, any_id=handoff.chain_id)
    with django_assert_num_queries(2):
        trees.tree_of(chain)


def test_an_operators_limit_is_refused_with_its_name(team, settings):
    settings.CONTINUITY_MAX_CHAIN_LENGTH = 2
    second = prepare(go_on(prepare(story(team))))
    with pytest.raises(ChainTooLong, match=r"2 handoffs.*limit is 2.*CONTINUITY_MAX_CHAIN_LENGTH") as caught:
        prepare(go_on(second))
    assert (caught.value.status, caught.value.code) == (409, "chain_too_long")
    assert Handoff.objects.count() == 2
    assert Event.objects.get(name="handoff.failed").payload["reason"] == "chain_too_long"


def test_a_team_may_set_less_than_the_operator_and_not_more(team, owner, settings):
    settings.CONTINUITY_MAX_CHAIN_LENGTH = 5
    policies.change(team=team, conversation=None, changes={"max_chain_length": 1}, author=Author(owner))
    first = prepare(story(team))
    with pytest.raises(ChainTooLong, match="limit is 1"):
        prepare(go_on(first))
    with pytest.raises(Invalid, match="max_chain_length"):
        policies.change(team=team, conversation=None, changes={"max_chain_length": 6}, author=Author(owner))


def test_an_append_never_fails_because_its_chain_is_full(team, settings):
    settings.CONTINUITY_MAX_CHAIN_LENGTH = 1
    conversation = conversations.create(team=team, max_context_tokens=1000)
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("Never send real mail. Build it.")])
    prepare(conversation)
    full = answered("On it.", usage=Usage(input=900), usage_id="u1")
    done = conversations.append(team=team, conversation_id=conversation.id, messages=[full])
    followed = automatic.follow_up(team=team, conversation=done.conversation)
    assert (followed.decision.should_handoff, followed.decision.due, followed.decision.held) == (True, False, Hold.CHAIN_FULL)
    assert decisions.decide_for(team=team, conversation_id=conversation.id).held is Hold.CHAIN_FULL
    assert followed.handoff is None
    assert Handoff.objects.count() == 1


def test_the_handoff_that_filled_its_chain_is_still_offered(team, owner):
    policies.change(team=team, conversation=None, changes={"max_chain_length": 1}, author=Author(owner))
    conversation = conversations.create(team=team, max_context_tokens=1000)
    followed = []
    for used in (900, 910):
        full = answered("On it.", usage=Usage(input=used), usage_id=f"u{used}")
        done = conversations.append(team=team, conversation_id=conversation.id, messages=[said("Go on."), full])
        followed.append(automatic.follow_up(team=team, conversation=done.conversation))
    assert [each.decision.held for each in followed] == [None, None]
    assert followed[0].handoff == followed[1].handoff
    assert followed[0].handoff is not None
