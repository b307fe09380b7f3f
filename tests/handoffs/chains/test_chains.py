"""CONT-04: storing, chains and cleanup."""

from datetime import timedelta

import pytest
from django.utils import timezone

from continuity.core.errors import HandoffGone, NotFound
from continuity.models import Conversation, Event
from handoffs.models import Handoff, HandoffTombstone
from handoffs.services.chains import chains, resumption
from handoffs.services.packages import cleanup, handoffs, preparation
from tests.handoffs.story import story

OPTIONS = preparation.options_of(budget=2000)


def prepare(conversation):
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=OPTIONS)


def next_conversation(handoff):
    return resumption.resume(team=handoff.team, handoff_id=handoff.id).conversation


def test_it_works(team):
    handoff = prepare(story(team))
    chain = chains.get(team=team, any_id=handoff.conversation_id)
    assert chains.members(chain) == [handoff]


def test_cont04_chain_of_three_conversations_has_all_three_records(team):
    """CONT-04, "Track handoff chain": A handed off to B, B to C, and C's own package are three."""
    a = story(team)
    b = next_conversation(prepare(a))
    c = next_conversation(prepare(b))
    last = prepare(c)
    chain = chains.get(team=team, any_id=a.id)
    records = chains.members(chain)
    assert len(records) == chain.total_handoffs == 3
    assert [record.position for record in records] == [1, 2, 3]
    assert [record.previous_handoff_id for record in records] == [None, records[0].id, records[1].id]
    assert chain.current_handoff == last


def test_cont04_get_chain_finds_it_by_any_conversation(team):
    a = story(team)
    b = next_conversation(prepare(a))
    chain = chains.get(team=team, any_id=a.id)
    assert chains.get(team=team, any_id=b.id) == chain
    assert chains.get(team=team, any_id=chain.id) == chain


def test_another_team_finds_no_chain(team, other_team):
    conversation = story(team)
    prepare(conversation)
    with pytest.raises(NotFound):
        chains.get(team=other_team, any_id=conversation.id)


def test_packages_beside_one_another_make_a_chain_no_longer(team):
    a = story(team)
    prepare(a)
    prepare(a)
    b = next_conversation(prepare(a))
    prepare(b)
    c = next_conversation(prepare(b))
    last = prepare(c)
    chain = chains.get(team=team, any_id=a.id)
    assert (chain.total_handoffs, last.position, len(chains.members(chain))) == (3, 3, 6)
    lengths = [event.payload["length"] for event in Event.objects.filter(name="chain.extended").order_by("created_at")]
    assert lengths == [1, 1, 1, 2, 2, 3]


def test_cont04_latest_for_conversation_is_the_most_recent(team):
    conversation = story(team)
    prepare(conversation)
    second = prepare(conversation)
    assert handoffs.latest_for(team=team, conversation=conversation) == second


def test_cont04_cleanup_deletes_expired_unresumed(team):
    a = story(team)
    first = prepare(a)
    b = next_conversation(first)
    middle = prepare(b)
    Handoff.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert cleanup.delete_expired(now=timezone.now()) == 1
    assert Handoff.objects.filter(id=first.id).exists(), "what was resumed stays"
    assert not Handoff.objects.filter(id=middle.id).exists()
    assert Conversation.objects.count() == 2
    chain = chains.get(team=team, any_id=a.id)
    assert chain.total_handoffs == 1
    assert chain.current_handoff == first


def test_a_deleted_handoff_says_that_it_is_gone(team, other_team):
    handoff = prepare(story(team))
    cleanup.delete_expired(now=timezone.now() + timedelta(days=31))
    with pytest.raises(HandoffGone) as caught:
        handoffs.get(team=team, handoff_id=handoff.id)
    assert caught.value.status == 410
    assert HandoffTombstone.objects.get().id == handoff.id
    with pytest.raises(NotFound):
        handoffs.get(team=other_team, handoff_id=handoff.id)


def test_what_has_not_expired_stays(team):
    prepare(story(team))
    assert cleanup.delete_expired(now=timezone.now() + timedelta(days=29)) == 0
    assert Handoff.objects.count() == 1


def test_a_handoff_whose_predecessor_is_deleted_stays_linked(team):
    a = story(team)
    first = prepare(a)
    b = next_conversation(first)
    second = prepare(b)
    third = prepare(next_conversation(second))
    Handoff.objects.filter(id=second.id).update(resumed_at=None, expires_at=timezone.now() - timedelta(seconds=1))
    assert cleanup.delete_expired(now=timezone.now()) == 1
    third.refresh_from_db()
    assert third.previous_handoff == first


def test_every_package_of_a_session_has_a_number_of_its_own(team):
    """Several of one session share their position; by the number people tell them apart, and nobody gets one that was used."""
    a = story(team)
    first, second = prepare(a), prepare(a)
    b = next_conversation(second)
    third = prepare(b)
    assert [(row.position, row.number) for row in (first, second, third)] == [(1, 1), (1, 2), (2, 3)]
    cleanup.expire(team=team, handoff_ids=[third.id], now=timezone.now())
    assert prepare(b).number == 4
