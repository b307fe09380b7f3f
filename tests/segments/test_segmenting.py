from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.segments import STRATEGIES, OpenSegment, Segment, SegmentLimits, segment
from continuity.transcripts.base.model import Message
from tests.segments.sessions import IMPORTER, MAPS, Numbered, numbered, turn
from tests.words import answered, called, resulted, said

TALK = numbered([*IMPORTER, *MAPS])


def all_of(messages: Numbered, strategy: str = "hybrid", limits: SegmentLimits | None = None) -> list[Segment]:
    found = segment(OpenSegment(), messages, strategy=strategy, limits=limits or SegmentLimits())
    return [*found.closed, *([found.state.so_far()] if found.state.messages else [])]


def test_it_works() -> None:
    first, second = all_of(TALK)

    assert (first.first_seq, first.last_seq, second.first_seq, second.last_seq) == (1, 12, 13, 18)
    assert first.topic == "The importer drops the last row of every invoice file."
    assert second.topic.startswith("Let's draw station maps in dark colours")
    assert (first.messages, first.tokens) == (12, sum(tokens for _, _, tokens in TALK[:12]))


def test_defaults_are_as_specified() -> None:
    assert (SegmentLimits().messages, SegmentLimits().tokens, SegmentLimits().minimum) == (20, 4000, 3)


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@given(cuts=st.lists(st.integers(0, 60), max_size=6), seed=st.integers(0, 5))
def test_a_prefix_and_the_rest_give_what_all_at_once_gives(strategy: str, cuts: list[int], seed: int) -> None:
    many = numbered(
        [message for n in range(seed, seed + 10) for message in turn(n, f"Look at part {n * n} of report {n}.", f"p{n}.py", "Done.")]
    )
    state, done = OpenSegment(), 0
    closed: list[Segment] = []
    for cut in [*sorted(cuts), len(many)]:
        found = segment(OpenSegment.from_json(json.loads(json.dumps(state.to_json()))), many[done:cut], strategy=strategy)
        state, done = found.state, max(done, cut)
        closed += found.closed
    whole = segment(OpenSegment(), many, strategy=strategy)

    assert tuple(closed) == whole.closed
    assert state.to_json() == whole.state.to_json()


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_segments_follow_one_another_without_gap_and_within_their_limits(strategy: str) -> None:
    many = numbered([message for n in range(40) for message in turn(n, f"Please build widget {n}.", f"w{n}.py", "Built.", minute=n * 45)])
    found = all_of(many, strategy)

    assert found[0].first_seq == 1
    assert all(after.first_seq == before.last_seq + 1 for before, after in pairwise(found))
    assert sum(each.tokens for each in found) == sum(tokens for _, _, tokens in many)
    assert all(3 <= each.messages <= 22 for each in found[:-1])


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_a_call_and_its_result_are_never_divided(strategy: str) -> None:
    messages: list[Message] = [said("Read all of it.")]
    for n in range(60):
        messages += [called("Read", {"file_path": f"f{n}.py"}, call_id=f"c{n}"), called("Read", {"file_path": f"g{n}.py"}, call_id=f"d{n}")]
        messages += [resulted("x", call_id=f"c{n}"), resulted("y " * 300, call_id=f"d{n}")]
    found = all_of(numbered(messages), strategy, SegmentLimits(messages=7, tokens=900))
    ends = {each.last_seq for each in found}

    assert len(found) > 10
    assert all(messages[end - 1].parts[0].call_id.startswith("d") for end in ends)


def test_a_call_that_is_never_answered_holds_a_segment_only_so_long() -> None:
    messages = [called("Bash", {"command": "sleep 9"}, call_id="lost"), *(answered(f"Still at it, {n}.") for n in range(60))]
    assert max(each.messages for each in all_of(numbered(messages))) <= 22


def test_a_turn_that_would_not_fit_any_more_begins_a_segment() -> None:
    many = numbered(
        [m for n in range(6) for m in turn(n, "Please go on with the importer of invoice rows.", "billing/importer.py", "Rows.")]
    )
    assert [each.first_seq for each in all_of(many, "fixed")] == [1, 13, 25]


def test_a_long_pause_divides() -> None:
    many = numbered([*turn(1, "Fix the importer.", "a.py", "Done."), *turn(2, "Fix the importer again.", "a.py", "Done.", minute=31)])
    assert [each.first_seq for each in all_of(many, "gap")] == [1, 7]
    assert [each.first_seq for each in all_of(many, "fixed")] == [1]


def test_a_short_answer_does_not_change_the_subject_and_words_that_say_so_do() -> None:
    base = turn(1, "Fix the importer of invoice rows.", "a.py", "Shall I also fix the footer?")
    assert len(all_of(numbered([*base, said("yes, please do"), answered("Fixed.")]), "topic")) == 1
    assert len(all_of(numbered([*base, said("Great. Next task: the invoice rows again."), answered("Fixed.")]), "topic")) == 2


def test_a_segment_of_tool_work_is_named_after_its_files() -> None:
    many = numbered([m for n in range(4) for m in turn(1, "", "src/billing/importer.py", "")[1:5]])
    assert all_of(many)[0].topic == "Work on importer.py"


def test_a_title_holds_no_secret() -> None:
    key = "sk-ant-" + "api03-" + "q8Zr5Tn2Wm7Kc4Vb" * 4
    (only,) = all_of(numbered([said(f"Use the key {key} for staging calls.")]))
    assert key not in only.topic


def test_the_open_segment_stays_small_however_long_the_conversation() -> None:
    many = numbered([said(f"word{n} " * 50 + f"other{n} thing{n}") for n in range(300)])
    limits = SegmentLimits(messages=10_000, tokens=10_000_000)
    state = segment(OpenSegment(), many, strategy="fixed", limits=limits).state

    assert state.messages == 300
    assert len(json.dumps(state.to_json())) < 20_000
