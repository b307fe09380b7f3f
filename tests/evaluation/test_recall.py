"""At a compaction, how much of what the session went on to use a context holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from diagnostics.evaluation.boundaries import CALLS, find_boundaries
from diagnostics.evaluation.errors import EvaluationError
from diagnostics.evaluation.recall import Recall, mean, recall_in, recall_of, share_stated
from tests.evaluation.compactions import BEFORE, SUMMARY, claude_call, claude_result, claude_session, codex_session, written
from tests.packages.samples import NOW
from tests.transcripts.records import answer, claude

# Each is two names: the file, and the identifier that it is called after.
USED = BEFORE[:12]


def test_it_works(tmp_path: Path) -> None:
    session = claude_session(tmp_path / "s.jsonl", [claude_call(f"c{n}", name) for n, name in enumerate(USED)])

    (found,) = recall_in([session], now=NOW)

    assert (found.session, found.line, found.needed, found.carried) == ("s.jsonl", 2, 24, 24)
    assert found.summary == Recall(2 / 12, 2 / 12)
    assert found.budget == 150
    assert found.size > 1  # There is no smaller budget.
    assert 0 < found.ours.needed <= 1


def test_the_directive_is_no_longer_than_the_summary(tmp_path: Path) -> None:
    talk = " ".join(f"The {name} module answers for step {number} of the nightly export." for number, name in enumerate(BEFORE))
    calls = [claude_call(f"c{n}", name) for n, name in enumerate(USED)]
    summary = talk[:1200]

    (found,) = recall_in([claude_session(tmp_path / "s.jsonl", calls, summary=summary)], now=NOW)

    assert 0 < found.size <= 1


def test_names_that_were_not_known_before_are_not_asked_for(tmp_path: Path) -> None:
    (found,) = find_boundaries(claude_session(tmp_path / "s.jsonl", [claude_call("c", f"brand_new_file.py {BEFORE[3]}")]))

    assert found.needed == {BEFORE[3], BEFORE[3].removesuffix(".py")}


def test_what_a_result_showed_first_was_needed_but_not_carried(tmp_path: Path) -> None:
    continuation = [
        claude_call("c1", "ls"),
        claude_result("c1", f"{BEFORE[0]} {BEFORE[1]}"),
        answer("a2", "c1", f"Now {BEFORE[1]} and {BEFORE[2]}."),
    ]

    (found,) = find_boundaries(claude_session(tmp_path / "s.jsonl", continuation))

    assert {name for name in found.needed if "." in name} == {BEFORE[1], BEFORE[2]}
    assert {name for name in found.carried if "." in name} == {BEFORE[2]}


def test_only_the_first_calls_are_looked_at(tmp_path: Path) -> None:
    calls = [claude_call(f"c{n}", "ls") for n in range(CALLS - 1)]
    continuation = [
        *calls,
        claude_call("x", BEFORE[0]),
        answer("a", "x", BEFORE[1]),
        claude_call("y", BEFORE[2]),
        answer("z", "y", BEFORE[3]),
    ]

    (found,) = find_boundaries(claude_session(tmp_path / "s.jsonl", continuation))

    assert {name for name in found.needed if "." in name} == {BEFORE[0], BEFORE[1]}


def test_side_chains_and_meta_records_are_no_continuation(tmp_path: Path) -> None:
    aside = answer("a", None, BEFORE[0]) | {"isSidechain": True}
    meta = claude("m", None, BEFORE[1]) | {"isMeta": True}

    (found,) = find_boundaries(claude_session(tmp_path / "s.jsonl", [aside, meta, claude("u", None, BEFORE[2])]))

    assert {name for name in found.needed if "." in name} == {BEFORE[2]}


def test_a_continuation_ends_at_the_next_compaction(tmp_path: Path) -> None:
    again = claude("b2", None, "") | {"type": "system", "subtype": "compact_boundary"}
    summary = claude("s2", None, "The second summary.") | {"isCompactSummary": True}
    session = claude_session(tmp_path / "s.jsonl", [answer("a", None, BEFORE[0]), again, summary, answer("z", None, BEFORE[1])])

    first, second = find_boundaries(session)

    assert BEFORE[0] in first.needed
    assert BEFORE[1] not in first.needed
    assert second.needed >= {BEFORE[1]}
    assert second.summary == "The second summary."
    assert SUMMARY not in second.before


def test_codex_sessions_are_read_too(tmp_path: Path) -> None:
    (found,) = find_boundaries(codex_session(tmp_path / "s.jsonl", USED))

    assert found.line == 3
    assert {name for name in found.needed if "." in name} == set(USED)
    assert found.summary == f"{SUMMARY}\n{BEFORE[2]}"


def test_a_share_is_told_of_the_readable_part_only(tmp_path: Path) -> None:
    heap = " ".join(BEFORE)

    assert share_stated(heap, BEFORE) == pytest.approx(2 / 15)
    assert share_stated("nothing", BEFORE) == 0
    assert share_stated(heap, ()) is None
    assert mean([Recall(1, 0), Recall(0.5, 0)]) == Recall(0.75, 0)


def test_names_carried_by_none_count_as_nothing(tmp_path: Path) -> None:
    (found,) = find_boundaries(claude_session(tmp_path / "s.jsonl", []))

    assert recall_of(SUMMARY, found) == Recall(0, 0)


@pytest.mark.parametrize("kind", ["no compaction", "no summary", "too few names"])
def test_without_a_telling_compaction_there_is_no_figure(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "s.jsonl"
    if kind == "no compaction":
        written(path, [claude("u1", None, "Hello."), answer("a1", "u1")])
    elif kind == "no summary":
        claude_session(path, [claude_call(f"c{n}", name) for n, name in enumerate(USED)], summary="")
    else:
        claude_session(path, [claude_call("c", BEFORE[0])])

    with pytest.raises(EvaluationError, match="None of the sessions has a compaction"):
        recall_in([path], now=NOW)


def test_a_session_of_another_tool_is_named(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text('{"messages": [{"role": "user", "content": "hello"}]}', encoding="utf-8")

    with pytest.raises(EvaluationError, match=r"s\.json is a openai-chat session; compactions are known of"):
        find_boundaries(path)


def test_broken_lines_are_passed_over(tmp_path: Path) -> None:
    path = claude_session(tmp_path / "s.jsonl", [answer("a", None, BEFORE[0])])
    with path.open("a", encoding="utf-8") as file:
        file.write('{"broken\n[1, 2]\n{"type": "user", "message": 3}\n')

    (found,) = find_boundaries(path)

    assert BEFORE[0] in found.needed
