"""Differences, patches and versions: what was stored comes back, whatever it was."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continuity.core.redaction import Redaction, walk
from continuity.shared_state import changes, diffs, history, patches
from continuity.shared_state.history import SNAPSHOT_EACH, StoredStep
from continuity.shared_state.values import ABSENT, BadValue, same

LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.0, 1.0, "", "a", "=", "~", "["])
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["a", "b", "=", "~", "0"]), inner, max_size=4),
    max_leaves=12,
)
MAYBE = JSON | st.just(ABSENT)


def test_it_works():
    before, after = {"plan": ["a", "b"], "n": 1}, {"plan": ["a", "x", "b"], "m": {"k": None}}
    told = diffs.between(before, after)
    assert told == {"~": {"m": {"=": {"k": None}}, "n": {"-": 1}, "plan": {"[": [1, 0, ["x"]]}}}
    assert diffs.applied(before, told) == after


@settings(max_examples=300, deadline=None)
@given(before=MAYBE, after=MAYBE)
def test_a_difference_leads_from_one_value_to_the_other(before, after):
    kept = copy.deepcopy(before) if before is not ABSENT else ABSENT
    told = diffs.between(before, after)
    assert (told is None) == (before is after or (ABSENT not in (before, after) and same(before, after)))
    found = diffs.applied(before, told)
    assert found is after if after is ABSENT else same(found, after)
    assert before is kept if kept is ABSENT else same(before, kept)


@settings(max_examples=50, deadline=None)
@given(values=st.lists(JSON, min_size=1, max_size=60))
def test_any_version_can_be_read(values):
    steps, before, since = [], ABSENT, 0
    for number, value in enumerate(values, start=1):
        steps.append(history.step(number=number, before=before, after=value, since_snapshot=since))
        since = 1 if steps[-1].begins else since + 1
        before = value
    for number, value in enumerate(values, start=1):
        start = max(each.number for each in steps[:number] if each.begins)
        assert number - start < SNAPSHOT_EACH
        assert same(history.value_of(steps[start - 1 : number]), value)


def test_a_version_that_removed_the_state_is_read_as_nothing():
    steps = [
        history.step(number=1, before=ABSENT, after=1, since_snapshot=0),
        history.step(number=2, before=1, after=ABSENT, since_snapshot=1),
    ]
    assert history.value_of(steps) is ABSENT
    assert history.step(number=3, before=ABSENT, after=2, since_snapshot=1).begins


def test_versions_without_their_beginning_are_not_guessed():
    with pytest.raises(BadValue):
        history.value_of([StoredStep(2, difference={"=": 1})])
    with pytest.raises(BadValue):
        history.value_of([])
    with pytest.raises(BadValue):
        diffs.applied(1, {"~": {"a": {"=": 1}}})


@pytest.mark.parametrize(
    ("most", "most_bytes", "needed", "first"),
    [
        (60, 10**6, 60, 1),
        (41, 10**6, 60, 21),
        (40, 10**6, 60, 21),
        (39, 10**6, 60, 41),
        (1, 10**6, 60, 41),
        (60, 300, 60, 41),
        (1, 1, 25, 21),
        (1, 1, 1, 1),
    ],
)
def test_old_versions_go_in_whole_stretches(most, most_bytes, needed, first):
    sizes = [(number, 10, number % 20 == 1) for number in range(1, 61)]
    assert history.to_drop(sizes, most=most, most_bytes=most_bytes, needed=needed) == first


@pytest.mark.parametrize(
    ("value", "patch", "after"),
    [
        ({"a": 1, "b": 2}, {"b": None, "c": {"d": None, "e": 1}}, {"a": 1, "c": {"e": 1}}),
        ({"a": [1]}, {"a": [2, None]}, {"a": [2, None]}),
        (ABSENT, {"a": 1}, {"a": 1}),
        ("text", {"a": 1}, {"a": 1}),
        ({"a": 1}, "text", "text"),
        ({"a": {"b": 1}}, {"a": "c"}, {"a": "c"}),
        ({"a": 1}, {}, {"a": 1}),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_merge_patch_is_that_of_rfc_7396(value, patch, after):
    assert patches.merged(value, patch) == after


def test_words_are_blacked_out_of_a_difference_as_out_of_the_value():
    before = {"Anna Achterberg": {"note": "Call Anna Achterberg."}, "note": ["x", "Anna Achterberg"]}
    after = {**before, "note": ["y", "z", "Anna Achterberg"], "Anna Achterberg": {"note": "Called Anna Achterberg."}}
    redaction = Redaction("Anna Achterberg")
    black = lambda value: walk(value, redaction.in_copies)  # noqa: E731
    assert diffs.applied(black(before), black(diffs.between(before, after))) == black(after)


def test_changes_mark_the_words_that_differ():
    told = changes.between(
        {"goal": "Ship it on Monday, quietly", "n": 1, "gone": [1]}, {"goal": "Ship it on Friday, quietly", "n": 1, "new": True}
    )
    (goal, gone, new), more = told.places, told.more
    assert goal.old
    assert goal.new
    assert new.new
    assert (goal.place, goal.old.changed, goal.new.changed, goal.new.before, more) == ("/goal", "Monday", "Friday", "Ship it on ", 0)
    assert (gone.place, gone.new, new.place, new.old, new.new.whole) == ("/gone", None, "/new", None, "true")


def test_changes_are_bounded():
    told = changes.between({}, {str(number): "x" * 9000 for number in range(500)})
    assert (len(told.places), told.more) == (changes.MOST_SHOWN, 300)
    assert told.places[0].new
    assert len(told.places[0].new.whole) < 2100
