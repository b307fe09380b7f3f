import pytest

from continuity.transcripts import Abandoned, Voice
from continuity.transcripts.claude_code.live_path import LivePath
from tests.transcripts.records import abandoned, answer, call, claude, messages, read, result, texts


def progress(uuid, parent):
    return {"type": "progress", "uuid": uuid, "parentUuid": parent, "data": {}}


def test_it_works():
    records = [claude("u1", None, "A"), answer("a1", "u1"), claude("u2", "a1", "B"), answer("a2", "u2"), claude("u3", "a1", "C")]
    found = list(read("claude-code", *records))
    assert found[4] == Abandoned(("u2", "a2"), line=4)
    assert messages(found)[4].external_id == "u3"


def test_a_straight_session_abandons_nothing():
    records = [claude("u1", None, "A"), answer("a1", "u1"), claude("u2", "a1", "B"), answer("a2", "u2")]
    assert abandoned(read("claude-code", *records)) == []


@pytest.mark.parametrize("goes_on_from", ["r1", "r2", "r3"])
def test_parallel_calls_are_no_branches(goes_on_from):
    records = [
        claude("u1", None, "A"),
        call("a1", "u1", "c1", id="m"), call("a2", "a1", "c2", id="m"), call("a3", "a2", "c3", id="m"),
        result("r1", "a1", "c1"), result("r2", "a2", "c2"), result("r3", "a3", "c3"),
        answer("b1", goes_on_from), claude("u2", "b1", "B"),
    ]  # fmt: skip
    assert abandoned(read("claude-code", *records)) == []


def test_a_result_between_two_calls_of_one_answer_is_no_branch():
    records = [
        call("a1", None, "c1", id="m"), result("r1", "a1", "c1"), call("a2", "a1", "c2", id="m"), result("r2", "a2", "c2"),
        answer("b1", "r2"),
    ]  # fmt: skip
    assert abandoned(read("claude-code", *records)) == []


def test_a_result_stands_with_its_call_whatever_parent_it_names():
    early = [claude("u1", None, "A"), call("a1", "u1", "c1"), result("r1", "u1", "c1"), answer("b1", "r1")]
    assert abandoned(read("claude-code", *early)) == []
    late = [call("a1", None, "c1"), claude("u2", "a1", "B"), answer("b2", "u2"), result("r1", "b2", "c1"), answer("b3", "r1")]
    assert abandoned(read("claude-code", *late)) == []


def test_hooks_and_progress_are_no_branches():
    records = [
        call("a1", None, "c1"), progress("p1", "a1"), progress("p2", "p1"), result("r1", "a1", "c1"), progress("p3", "r1"),
        answer("b1", "r1"), progress("p4", "b1"), claude("u2", "p4", "B"),
    ]  # fmt: skip
    assert abandoned(read("claude-code", *records)) == []


def test_hooks_that_are_written_when_the_turn_ends_rewind_nothing():
    records = [
        claude("u1", None, "A"), call("a1", "u1", "c1"), result("r1", "a1", "c1"), call("a2", "r1", "c2"), result("r2", "a2", "c2"),
        answer("b1", "r2"), progress("p1", "a1"), progress("p2", "p1"),
        {"type": "system", "subtype": "stop_hook_summary", "uuid": "s1", "parentUuid": "p2", "hookCount": 1}, claude("u2", "s1", "B"),
    ]  # fmt: skip
    assert abandoned(read("claude-code", *records)) == []
    assert abandoned(read("claude-code", *records, claude("u3", "u1", "C"))) == ["a1", "r1", "a2", "r2", "b1", "u2"]


def test_meta_records_beside_results_are_no_branches():
    records = [
        call("a1", None, "c1", id="m"), call("a2", "a1", "c2", id="m"), result("r1", "a1", "c1"), claude("k1", "r1", "skill", isMeta=True),
        result("r2", "a2", "c2"), answer("b1", "r2"),
    ]  # fmt: skip
    assert abandoned(read("claude-code", *records)) == []


def test_a_rewind_takes_the_calls_results_and_meta_records_with_it():
    records = [
        claude("u1", None, "A"), answer("a1", "u1"), claude("u2", "a1", "B"), call("a2", "u2", "c2"), result("r2", "a2", "c2"),
        claude("k1", "r2", "note", isMeta=True), claude("u3", "a1", "C"),
    ]  # fmt: skip
    assert abandoned(read("claude-code", *records)) == ["u2", "a2", "r2", "k1"]


def test_a_rewind_to_a_progress_record_counts_from_what_it_hangs_on():
    records = [
        progress("p0", None),
        claude("u1", "p0", "A"),
        answer("a1", "u1"),
        progress("p1", "a1"),
        claude("u2", "p1", "B"),
        claude("u3", "p1", "C"),
    ]
    assert abandoned(read("claude-code", *records)) == ["u2"]


def test_a_rewind_to_the_first_record_takes_everything_behind_it():
    records = [progress("p0", None), claude("u1", "p0", "A"), answer("a1", "u1"), claude("u2", "p0", "B")]
    assert abandoned(read("claude-code", *records)) == ["u1", "a1"]


def test_an_answer_given_anew_replaces_the_first_one():
    assert abandoned(read("claude-code", claude("u1", None, "A"), answer("a1", "u1"), answer("a2", "u1"))) == ["a1"]


def test_two_rewinds_report_each_message_once():
    records = [
        claude("u1", None, "A"), answer("a1", "u1"), claude("u2", "a1", "B"), claude("u3", "a1", "C"), claude("u4", "u1", "D"),
    ]  # fmt: skip
    assert abandoned(read("claude-code", *records)) == ["u2", "a1", "u3"]


@pytest.mark.parametrize("logical", ["a1", "u1", "not in this file", None])
def test_a_compaction_abandons_nothing_whatever_it_says_comes_before(logical):
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None, "logicalParentUuid": logical}
    summary = claude("s", "b", "summary", isCompactSummary=True)
    records = [
        claude("u1", None, "A"),
        answer("a1", "u1"),
        claude("u2", "a1", "B"),
        boundary,
        summary,
        answer("a2", "s"),
        claude("u3", "a2", "C"),
    ]
    assert abandoned(read("claude-code", *records)) == []


def test_a_rewind_across_a_compaction_takes_the_summary_too():
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None, "logicalParentUuid": "a1"}
    summary = claude("s", "b", "summary", isCompactSummary=True)
    records = [claude("u1", None, "A"), answer("a1", "u1"), boundary, summary, answer("a2", "s"), claude("u3", "u1", "C")]
    assert abandoned(read("claude-code", *records)) == ["a1", "b", "s", "a2"]


def test_unknown_parents_and_second_roots_abandon_nothing():
    records = [claude("u1", None, "A"), answer("a1", "u1"), claude("u2", "lost", "B"), claude("u3", None, "C"), answer("a3", "u3")]
    assert abandoned(read("claude-code", *records)) == []


def test_going_on_from_a_rewound_record_abandons_no_more():
    records = [claude("u1", None, "A"), answer("a1", "u1"), claude("u2", "a1", "B"), claude("u3", "a1", "C"), answer("a2", "u2")]
    assert abandoned(read("claude-code", *records)) == ["u2"]


def test_side_chains_neither_branch_nor_are_abandoned():
    records = [
        claude("u1", None, "A"), call("a1", "u1", "c1", "Task"), claude("x1", None, "find", isSidechain=True),
        answer("x2", "x1", isSidechain=True), answer("x3", "x1", isSidechain=True), result("r1", "a1", "c1"), answer("a2", "r1"),
    ]  # fmt: skip
    assert abandoned(read("claude-code", *records)) == []


def test_words_in_a_rejected_call_keep_their_place():
    refusal = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse make"
    records = [call("a1", None, "c1"), result("r1", "a1", "c1", refusal, is_error=True), answer("a2", "r1"), claude("u2", "r1", "no")]
    found = list(read("claude-code", *records))
    assert abandoned(found) == ["a2"]
    assert texts(messages(found), Voice.PERSON) == ["use make", "no"]


def test_what_is_remembered_is_bounded():
    path = LivePath(limit=100)
    for number in range(1010):
        path.advance(f"u{number}", f"u{number - 1}", f"u{number}")
        assert len(path._where) <= 100
    assert path.advance("late", "u1005", "late") == ("u1006", "u1007", "u1008", "u1009")
    assert path.advance("later", "u0", "later") == ()


def test_one_endless_answer_is_bounded_too():
    path = LivePath(limit=100)
    path.advance("a0", "", "a0", group="m")
    for number in range(1000):
        path.attach(f"p{number}", f"p{number - 1}")
        assert len(path._where) <= 100
    assert path.advance("u1", "p999", "u1") == ()
