"""What shared states may take and hold: versions, bytes, keys, secrets; whose they are; what one answer tells of changes."""

from typing import Any

import pytest

from continuity.core.errors import Invalid, NotFound, TooLarge, TooMany
from continuity.models import StateEntry, StateVersion
from continuity.services.shared_state import state_queries, states
from continuity.shared_state import values
from continuity.shared_state.names import StateStrategy
from continuity.shared_state.values import ABSENT
from tests.shared_state.sharing import Shared


@pytest.fixture
def shared(team):
    return Shared(team)


def test_it_works(shared, settings):
    settings.STATE_MAX_VERSIONS = 40
    for number in range(150):
        shared.put({"number": number, "text": "x" * 100})
    row = shared.row
    kept = StateVersion.objects.filter(entry=row)
    assert kept.count() == row.version - row.oldest + 1 <= 40
    assert row.history_size == sum(kept.values_list("size", flat=True))
    assert [shared.at(number)["number"] for number in range(row.oldest, 151)] == list(range(row.oldest - 1, 150))


def test_what_readers_see_outlives_trimming(shared, settings):
    settings.STATE_MAX_VERSIONS = 20
    shared.put("base", strategy=StateStrategy.MANUAL)
    for number in range(1, 40):
        shared.put(number, number)
    shared.put("other", 35)
    for _ in range(3):
        shared.put({"more": "x" * 100}, 35)
    assert (shared.value, shared.row.shown) == (34, 35)
    shared.resolve(take=shared.row.shown)
    assert shared.value == 34


def test_a_scope_is_bounded(team, settings):
    settings.STATE_MAX_SCOPE_BYTES, settings.STATE_MAX_KEYS = 100_000, 4
    text = Shared(team, "text")
    for number in range(30):
        text.put(f"{number}" * 10_000)
    taken = sum(row.size + row.history_size for row in StateEntry.objects.all())
    assert taken <= 100_000
    Shared(team, "other").put("y" * 20_000)
    with pytest.raises(TooLarge):
        Shared(team, "third").put("z" * 60_000)
    for key in "ab":
        Shared(team, key).put(1)
    with pytest.raises(TooMany):
        Shared(team, "c").put(1)
    assert StateEntry.objects.count() == 4


def test_secrets_are_masked_and_none_is_a_key(shared):
    shared.put({"token": "ghp_" + "a1B2" * 9})
    assert "ghp_" not in str(shared.value)
    shared.patch({"more": ["AKIAIOSFODNN7" + "EXAMPLQ"]})
    assert "AKIAIOSFODNN7" not in str(shared.value)
    with pytest.raises(Invalid):
        shared.put({"ghp_" + "a1B2" * 9: 1})


@pytest.mark.parametrize("key", ["", "../x", "a/b", "a b", ".", "x" * 121])
def test_a_hostile_key_is_refused(team, key):
    with pytest.raises(Invalid):
        Shared(team, key).put(1)


def test_odd_values_come_back_equal(shared):
    odd: list[Any] = [None, False, 0, -0.0, 1e22, 6.02e23, 1.5e-9, "", "\x1b[31mred", {"": {}}, [[]], {"b" * 9: 1, "a": 2}, 10**30]
    for value in odd:
        shared.put(value)
        assert (shared.row.digest, shared.at(shared.row.version)) == (values.digest(shared.value), shared.value)


def test_an_outsider_s_team_has_states_of_its_own(team, other_team):
    Shared(team).put(1)
    Shared(other_team).put(2)
    assert (Shared(team).value, Shared(other_team).value) == (1, 2)
    with pytest.raises(NotFound):
        Shared(other_team, owner=str(team.id)).put(3)
    with pytest.raises(NotFound):
        states.erase(team=other_team, state_id=Shared(team).row.id)


def test_what_changed_is_told_once_and_in_its_order(team):
    plan, notes = Shared(team), Shared(team, "notes")
    plan.put(1)
    notes.put(1)
    seen = state_queries.changed_since(team=team, position=0)
    assert ([row.key for row in seen.entries], seen.more, seen.reset) == (["plan", "notes"], False, False)
    plan.put(2)
    plan.put(3)
    notes.remove()
    later = state_queries.changed_since(team=team, position=seen.position, generation=seen.generation)
    assert [(row.key, row.value) for row in later.entries] == [("plan", 3), ("notes", ABSENT)]
    first = state_queries.changed_since(team=team, position=0, limit=1)
    assert (len(first.entries), first.more) == (1, True)
    states.erase(team=team, state_id=plan.row.id)
    after = state_queries.changed_since(team=team, position=later.position, generation=later.generation)
    assert (after.reset, [row.key for row in after.entries]) == (True, ["notes"])
    assert not state_queries.changed_since(team=team, position=after.position, generation=after.generation).reset
    assert state_queries.changed_since(team=team, position=10**12, generation=after.generation).reset


def test_one_answer_is_bounded_in_bytes(team, settings):
    settings.STATE_MAX_SCOPE_BYTES = 10**8
    for number in range(20):
        Shared(team, f"k{number}").put("x" * 64_000)
    seen, keys = state_queries.changed_since(team=team, position=0), []
    assert seen.more and len(seen.entries) < 17
    while True:
        keys += [row.key for row in seen.entries]
        if not seen.more:
            break
        seen = state_queries.changed_since(team=team, position=seen.position, generation=seen.generation)
    assert keys == [f"k{number}" for number in range(20)]
