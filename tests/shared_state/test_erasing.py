"""What erasing leaves of shared states."""

from datetime import timedelta

import pytest
from django.utils import timezone

from continuity.models import StateEntry, StateVersion
from continuity.services.agents import registry
from continuity.services.groups import groups
from continuity.services.groups.groups import ParticipantInput
from continuity.services.recording import conversations
from continuity.services.shared_state import state_erasure, state_queries
from continuity.shared_state import values
from handoffs.services.erasure import erasing
from tests.life.everywhere import tables_holding
from tests.shared_state.sharing import Shared
from tests.words import said

WORDS = "The customer is Wilhelmina Achterberg of Zutphen."


@pytest.fixture
def conversation(team):
    found = conversations.create(team=team, title="Invoices")
    conversations.append(team=team, conversation_id=found.id, messages=[said(WORDS)])
    return found


def by(owner):
    return erasing.By(name=owner.email, user=owner)


def test_it_works(team, owner, conversation):
    own = Shared(team, scope="conversation", owner=str(conversation.id))
    own.put({"who": "nobody"})
    repeated, before, other = Shared(team, "repeated"), Shared(team, "before"), Shared(team, "other")
    repeated.put({"note": [WORDS]})
    before.put(WORDS)
    before.put("Nothing of it.")
    other.put("Nothing of it.")
    seen = state_queries.changed_since(team=team, position=0)
    erased = erasing.erase_conversation(team=team, conversation_id=conversation.id, by=by(owner))
    assert erased.removed["stateentry"] == 3
    assert {row.key for row in StateEntry.objects.all()} == {"before", "other"}
    assert (before.value, before.row.oldest, before.row.version, before.at(3)) == ("Nothing of it.", 3, 3, "Nothing of it.")
    assert state_queries.changed_since(team=team, position=seen.position, generation=seen.generation).reset
    assert tables_holding("Achterberg") == set()


def test_words_are_blacked_out_of_every_state_and_its_versions(team, owner, conversation):
    own, shared, before = Shared(team, scope="conversation", owner=str(conversation.id)), Shared(team), Shared(team, "before")
    own.put({"note": WORDS, "n": 1})
    own.patch({"n": 2})
    shared.put([f"As said: {WORDS}"])
    before.put({WORDS: "x"})
    before.put({"clean": True})
    erasing.erase_words(team=team, conversation_id=conversation.id, words=WORDS, by=by(owner))
    assert tables_holding("Achterberg") == set()
    for each in (own, shared, before):
        row = each.row
        assert StateVersion.objects.filter(entry=row).count() == 1
        assert row.digest == values.digest(row.value)
        assert each.put({"goes": "on"}).number == row.version + 1
    assert before.at(3) == {"clean": True}


def test_states_end_with_their_agent(team):
    registry.register(team=team, name="billing", now=timezone.now(), given={}, runner="")
    Shared(team, scope="agent", owner="billing").put(1)
    Shared(team).put(1)
    registry.remove(team=team, name="billing")
    assert [row.scope for row in StateEntry.objects.all()] == ["team"]


def test_a_group_s_states_end_with_its_conversation(team, owner):
    registry.register(team=team, name="billing", now=timezone.now(), given={}, runner="")
    group = groups.create(team=team, participants=[ParticipantInput("billing")], now=timezone.now())
    Shared(team, scope="group", owner=str(group.id)).put(1)
    assert Shared(team, scope="group", owner=str(group.conversation_id)).value == 1
    erasing.erase_conversation(team=team, conversation_id=group.conversation_id, by=by(owner))
    assert not StateEntry.objects.exists()


def test_what_was_removed_long_ago_goes(team):
    old, young, there = Shared(team, "old"), Shared(team, "young"), Shared(team, "there")
    for each in (old, young, there):
        each.put(1)
    old.remove()
    young.remove()
    StateEntry.objects.filter(key__in=["old", "there"]).update(updated_at=timezone.now() - timedelta(days=31))
    seen = state_queries.changed_since(team=team, position=0)
    assert state_erasure.purge_removed(now=timezone.now()) == 1
    assert {row.key for row in StateEntry.objects.all()} == {"young", "there"}
    assert state_queries.changed_since(team=team, position=seen.position, generation=seen.generation).reset
