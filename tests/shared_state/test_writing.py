"""Writing shared states: versions, strategies, limits, masking."""

import logging
from uuid import uuid4

import pytest

from continuity.core.errors import BaseMissing, Invalid, NotFound, TooLarge, TooMany, VersionMismatch
from continuity.models import Event, StateEntry, StateVersion
from continuity.services.shared_state import reading, states
from continuity.shared_state import values
from continuity.shared_state.names import StateStrategy
from continuity.shared_state.values import ABSENT
from tests.shared_state.sharing import Shared


@pytest.fixture
def shared(team):
    return Shared(team)


def conflicts(shared):
    return [row.conflict for row in StateVersion.objects.filter(entry=shared.row).order_by("number")]


def test_it_works(shared):
    assert shared.put({"steps": ["a"]}).number == 1
    assert shared.patch({"steps": ["a", "b"], "done": 0}, by="bert").number == 2
    row = shared.row
    assert (row.value, row.version, row.author) == ({"steps": ["a", "b"], "done": 0}, 2, "bert")
    assert row.digest == values.digest(row.value)
    assert shared.at(1) == {"steps": ["a"]}
    told = Event.objects.filter(name="state.changed").order_by("created_at")
    assert [each.payload["position"] for each in told] == sorted(each.position for each in StateVersion.objects.all())
    assert {each.subject_id for each in told} == {row.id}


def test_what_says_nothing_new_makes_no_version(shared):
    shared.put({"a": 1})
    again = shared.put({"a": 1}, by="bert")
    assert (again.unchanged, again.number, shared.row.author) == (True, 1, "anna")


def test_a_write_sent_twice_is_stored_once(shared):
    shared.put({"n": 0}, strategy=StateStrategy.MERGE, merges={"/n": "counter"})
    id = uuid4()
    assert [shared.put({"n": 1}, 1, id=id).number for _ in range(3)] == [2, 2, 2]
    assert shared.value == {"n": 1}


def test_the_last_write_wins_and_tells_what_it_overwrote(shared, caplog):
    shared.put({"a": 1, "b": 1})
    shared.put({"a": 2, "b": 1}, 1)
    with caplog.at_level(logging.WARNING, "continuity.shared_state"):
        written = shared.put({"a": 3, "b": 1}, 1, by="bert")
    assert (written.conflict, written.places, shared.value["a"]) == ("overwritten", ["/a"], 3)
    (record,) = caplog.records
    assert (record.metadata["overwritten"], record.metadata["overwritten_by"], record.metadata["read"]) == (2, 3, 1)
    assert Event.objects.filter(name="state.conflicted", payload__conflict="overwritten").count() == 1
    assert shared.at(2)["a"] == 2


def test_a_patch_of_another_place_overwrites_nothing(shared):
    shared.put({"a": 1, "b": 1})
    shared.patch({"a": 2}, 1)
    assert shared.patch({"b": 2}, 1).conflict == "merged"
    assert shared.value == {"a": 2, "b": 2}


def test_reject_refuses_who_missed_something(shared):
    shared.put(1, strategy=StateStrategy.REJECT)
    shared.put(2, 1)
    with pytest.raises(VersionMismatch) as refused:
        shared.put(3, 1)
    assert refused.value.data["current"] == 2
    with pytest.raises(BaseMissing):
        shared.put(3)
    assert shared.value == 2


def test_merge_takes_both_and_refuses_what_met(shared):
    shared.put({"n": 0, "tags": ["a"], "t": "x"}, strategy=StateStrategy.MERGE, merges={"/n": "counter", "/tags": "set"})
    shared.put({"n": 1, "tags": ["a", "b"], "t": "x"}, 1)
    written = shared.put({"n": 1, "tags": ["c"], "t": "y"}, 1)
    assert (written.conflict, shared.value) == ("merged", {"n": 2, "tags": ["b", "c"], "t": "y"})
    with pytest.raises(VersionMismatch) as refused:
        shared.put({"n": 0, "tags": ["a"], "t": "z"}, 1)
    assert refused.value.data["places"] == ["/t"]
    assert shared.row.version == 3


def test_a_base_that_is_not_kept_can_not_be_merged_with(shared, settings):
    settings.STATE_MAX_VERSIONS = 20
    shared.put({"n": 0}, strategy=StateStrategy.MERGE)
    for number in range(1, 61):
        shared.put({"n": number}, number)
    assert shared.row.oldest > 1
    with pytest.raises(VersionMismatch, match="not kept any more"):
        shared.put({"m": 0}, 1)


def test_manual_keeps_both_and_shows_what_both_had_read(shared):
    shared.put("base", strategy=StateStrategy.MANUAL)
    shared.put("first", 1)
    written = shared.put("second", 1, by="bert")
    row = shared.row
    assert (written.conflict, row.value, row.shown, row.version, row.unresolved) == ("unresolved", "base", 1, 3, True)
    assert [(each.number, each.author, shared.at(each.number)) for each in reading.contenders(row)] == [
        (2, "anna", "first"),
        (3, "bert", "second"),
    ]
    with pytest.raises(VersionMismatch):
        shared.resolve(take=2, base=2)
    with pytest.raises(Invalid):
        shared.resolve(take=7)
    assert shared.put("third", 1).number == 4
    assert shared.resolve(take=3, base=4).number == 5
    row = shared.row
    assert (row.value, row.shown, row.unresolved) == ("second", 5, False)
    assert conflicts(shared) == ["none", "overwritten", "merged", "overwritten", "merged"]
    with pytest.raises(Invalid):
        shared.resolve(take=3)
    assert shared.put("fourth", 5).conflict == "none"


def test_a_conflict_may_end_with_another_value(shared):
    shared.put({"a": 1}, strategy=StateStrategy.MANUAL)
    shared.patch({"a": 2}, 1)
    shared.patch({"b": 2}, 1)
    assert [shared.at(number) for number in (2, 3)] == [{"a": 2}, {"a": 1, "b": 2}]
    shared.resolve(value={"a": 2, "b": 2})
    assert shared.value == {"a": 2, "b": 2}


def test_no_more_wait_for_a_person_than_he_can_choose_from(shared):
    shared.put(0, strategy=StateStrategy.MANUAL)
    shared.put(1, 1)
    for number in range(2, 11):
        shared.put(number, 1)
    with pytest.raises(VersionMismatch, match="wait for a person already"):
        shared.put(11, 1)
    assert len(reading.contenders(shared.row)) == 10


def test_if_match_is_stricter_than_any_strategy(shared):
    shared.put(1)
    shared.put(2)
    with pytest.raises(VersionMismatch):
        shared.put(3, 1, strict=True)
    assert shared.put(3, 2, strict=True).number == 3


def test_any_version_can_be_restored_and_a_removed_state_too(shared):
    for number in range(50):
        shared.put({"number": number, "text": "x" * 100})
    for number in range(1, 51):
        assert shared.at(number)["number"] == number - 1
    shared.restore(7)
    assert shared.value["number"] == 6
    shared.remove()
    assert (shared.value, shared.row.removed) == (ABSENT, True)
    with pytest.raises(NotFound):
        shared.remove()
    shared.restore(51)
    assert (shared.value["number"], shared.row.removed, shared.at(52)) == (6, False, ABSENT)
    with pytest.raises(NotFound):
        shared.restore(99)
    assert [row.restored for row in StateVersion.objects.order_by("number")[50:]] == [7, None, 51]


def test_versions_are_bounded(shared, settings):
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
    for value in (None, False, 0, -0.0, 1e22, 6.02e23, 1.5e-9, "", "\x1b[31mred", {"": {}}, [[]], {"b" * 9: 1, "a": 2}, 10**30):
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
    seen = reading.changed_since(team=team, position=0)
    assert ([row.key for row in seen.entries], seen.more, seen.reset) == (["plan", "notes"], False, False)
    plan.put(2)
    plan.put(3)
    notes.remove()
    later = reading.changed_since(team=team, position=seen.position, generation=seen.generation)
    assert [(row.key, row.value) for row in later.entries] == [("plan", 3), ("notes", ABSENT)]
    first = reading.changed_since(team=team, position=0, limit=1)
    assert (len(first.entries), first.more) == (1, True)
    states.erase(team=team, state_id=plan.row.id)
    after = reading.changed_since(team=team, position=later.position, generation=later.generation)
    assert (after.reset, [row.key for row in after.entries]) == (True, ["notes"])
    assert not reading.changed_since(team=team, position=after.position, generation=after.generation).reset
    assert reading.changed_since(team=team, position=10**12, generation=after.generation).reset


def test_one_answer_is_bounded_in_bytes(team, settings):
    settings.STATE_MAX_SCOPE_BYTES = 10**8
    for number in range(20):
        Shared(team, f"k{number}").put("x" * 64_000)
    seen, keys = reading.changed_since(team=team, position=0), []
    assert seen.more and len(seen.entries) < 17
    while True:
        keys += [row.key for row in seen.entries]
        if not seen.more:
            break
        seen = reading.changed_since(team=team, position=seen.position, generation=seen.generation)
    assert keys == [f"k{number}" for number in range(20)]
