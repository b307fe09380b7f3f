"""Writing shared states: versions, strategies, limits, masking."""

import logging
from uuid import uuid4

import pytest

from continuity.core.errors import BaseMissing, Invalid, NotFound, VersionMismatch
from continuity.models import Event, StateVersion
from continuity.services.shared_state import state_queries
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
    assert [(each.number, each.author, shared.at(each.number)) for each in state_queries.contenders(row)] == [
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
    assert len(state_queries.contenders(shared.row)) == 10


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
