"""The fold is incremental, deterministic and bounded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.knowledge import EPOCH, FoldState, OutdatedState, fold
from continuity.knowledge.model import AnchorFound, AnchorSettled, Change
from continuity.knowledge.rules.catalogue import RULES
from continuity.transcripts import Abandoned, open_transcript
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from tests.beyond import beyond
from tests.knowledge.talk import agent, call, distil, harness, person, ran, result, said

ROOT = Path(__file__).parents[2]
SESSIONS = ROOT.parent / "shared" / "transcripts"
LIMIT = 256 * 1024

WORDS = [
    "Never push to main.",
    "Use Postgres instead of SQLite.",
    "Use SQLite for the queue.",
    "yes, do 2",
    "ok",
    "The API timeout is 30 seconds.",
    "The API timeout is 60 seconds.",
    "No, that's wrong, it comes from the header.",
    "I still see the old price",
    "Fix the cart and:\n1. add tests\n2. update docs",
    "Which file is it?",
    "Do what docs/plan.md says for lib/cart.ts.",
    "10:00:01 INFO up\n10:00:02 INFO on\n10:00:03 ERROR connection refused by db",
]
ANSWERS = [
    "I'll run the tests now.",
    "I'll update the docs once you merged it.",
    "Done. All tests pass.",
    "Two options:\n1. Redis store\n2. Postgres store\n\nWhich store should it be?",
    "The root cause is a missing index on `orders.id`.",
    "That's the fix for task #1. Have you rotated the key?",
    "- [x] read `a.py`\n- [ ] fix `b.py`",
    "I was wrong, `a.py` is fine. It's the `patients` array, not `care_teams`.",
]
DEEDS = [
    call("Edit", file_path="a.py"),
    call("TodoWrite", todos=[{"content": "Fix it", "status": "pending"}, {"content": "Test it", "status": "completed"}]),
    call("Bash", command="pytest -q | tail -3"),
    call("Bash", "c2", command="rm b.py && git commit -m x"),
    result("3 failed, 1 passed"),
    result("FAILED tests/a.py::test_total - AssertionError: 3 != 4", failed=True, exit_code=1),
    result("5 passed"),
    result("[main abc1234] Fix", "c2"),
    harness("[Request interrupted by user]"),
    said("1. Pending Tasks:\n - do more", Voice.SUMMARY),
    call("Read", agent="side", file_path="c.py"),
    call("Bash", command="git status -sb && gh pr merge 42"),
    result("## main...origin/main [ahead 1]\n M a.py"),
    call("Write", file_path="b.py", content="def total_of():\n    pass"),
    call("Edit", diff="@@\n+def fresh_one():\n"),
    call("TaskCreate", "t9", subject="Fix a.py test_total AssertionError"),
    result("Task #1 created", "t9"),
    call("Read", "d1", file_path="docs/plan.md"),
    result("1\t# Plan\n2\t## Phase 1: totals\n3\t**Decision:** use cents.\n" + "4\tThe cart page shows every line of an order. " * 9, "d1"),
    harness("# AGENTS.md instructions\n- Never push to main.\n- Always run the linter."),
    Message(Role.ASSISTANT, (Part(PartKind.REASONING, Voice.AGENT, "I decided to use Redis for the queue."),), ""),
]

messages = st.lists(
    st.one_of(st.sampled_from(WORDS).map(person), st.sampled_from(ANSWERS).map(agent), st.sampled_from(DEEDS)), min_size=1, max_size=40
)


def stored(state: FoldState) -> FoldState:
    return FoldState.from_json(json.loads(json.dumps(state.to_json())))


def split_equals_whole(talk: list[tuple[int, Message]], at: int) -> None:
    whole = fold(FoldState(), talk)
    first = fold(FoldState(), talk[:at])
    rest = fold(stored(first.state), talk[at:])
    assert first.changes + rest.changes == whole.changes
    assert rest.state.to_json() == whole.state.to_json()


def settled_once(changes: list[Change]) -> None:
    found: set[str] = set()
    settled: set[str] = set()
    for change in changes:
        if isinstance(change, AnchorFound):
            assert change.anchor.key not in settled
            found.add(change.anchor.key)
        elif isinstance(change, AnchorSettled):
            assert change.key in found
            assert change.key not in settled
            settled.add(change.key)


def test_it_works() -> None:
    state = FoldState()
    folded = fold(state, [(1, person("Never push to main."))])
    assert len(folded.changes) == 1
    assert (folded.state.through_seq, folded.state.messages, folded.state.turn_count) == (1, 1, 1)
    assert state == FoldState()


@given(messages, st.integers(0, 40))
def test_folding_a_prefix_and_then_the_rest_is_folding_all(talk: list[Message], at: int) -> None:
    split_equals_whole(list(enumerate(talk, 1)), at)


@given(messages)
def test_an_anchor_is_settled_at_most_once(talk: list[Message]) -> None:
    settled_once(distil(*talk).changes)


@given(messages)
def test_every_anchor_stands_where_it_says(talk: list[Message]) -> None:
    for anchor in distil(*talk).memory.anchors.values():
        if anchor.method == "fact.check":
            continue  # a command stands in its call's arguments
        part = talk[anchor.ref.seq - 1].parts[anchor.ref.part]
        assert part.text[anchor.ref.start : anchor.ref.end] == anchor.text


@given(st.lists(st.tuples(st.sampled_from([Voice.PERSON, Voice.AGENT, Voice.HARNESS]), st.text(max_size=200)), max_size=12))
def test_no_words_break_the_fold(talk: list[tuple[Voice, str]]) -> None:
    done = distil(*(said(text, voice, Role.ASSISTANT if voice is Voice.AGENT else Role.USER) for voice, text in talk))
    assert len(json.dumps(done.state.to_json())) <= LIMIT


@pytest.mark.parametrize(
    "path", beyond(2, sorted([*SESSIONS.glob("claude-code/*.jsonl"), *SESSIONS.glob("codex/*.jsonl")])), ids=lambda p: p.name[:24]
)
def test_real_sessions_keep_the_properties(path: Path) -> None:
    read = [event for event in open_transcript(path) if not isinstance(event, Abandoned)]
    talk = list(enumerate(read, 1))
    split_equals_whole(talk, len(talk) // 2)
    folded = fold(FoldState(), talk)
    settled_once(folded.changes)
    assert len(json.dumps(folded.state.to_json())) <= LIMIT


def test_the_result_does_not_depend_on_the_hash_seed() -> None:
    program = (
        "import json; from tests.knowledge.test_fold import WORDS, ANSWERS, DEEDS; from tests.knowledge.talk import *\n"
        "talk = [m for w, a in zip(WORDS, ANSWERS * 2) for m in (person(w), agent(a), *DEEDS)]\n"
        "done = distil(*talk); print(json.dumps(done.state.to_json()), done.changes)"
    )
    outputs = set()
    for seed in ("0", "1", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment, cwd=ROOT)
        outputs.add(run.stdout)
    assert len(outputs) == 1


@pytest.mark.parametrize("length", [6_000, pytest.param(20_000, marks=pytest.mark.long)])
def test_the_state_stays_bounded_whatever_the_length(length: int) -> None:
    state = FoldState()
    for start in range(0, length, 2000):
        talk: list[Message] = []
        for i in range(start, start + 2000, 10):
            odd = "ü€漢字😀" * (30 if i < 4000 else 2)
            talk += [
                person(f"Never use module_{i} for {odd} the queue number {i} because it is slow."),
                agent(f"The root cause is `f_{i}` in `m{i}/a.py`."),
            ]
            talk += [call("Edit", f"e{i}", file_path=f"src/m{i}/{odd[:40]}.py"), result("ok", f"e{i}")]
            talk += [call("Bash", f"b{i}", command=f"pytest tests/{i} {odd}"), result(f"FAILED t{i}::x - {odd}", f"b{i}", failed=True)]
            talk += [call("TaskCreate", f"t{i}", subject=f"Subject {i} {odd}", description=odd), result(f"Task #{i} created", f"t{i}")]
            talk += [agent(f"I'll fix thing{i} once you release it. Should number{i} be {odd}?"), call("Bash", f"p{i}", command=odd * 9)]
        state = fold(state, enumerate(talk, start + 1)).state
        assert len(json.dumps(state.to_json())) <= LIMIT
    assert state.messages == length
    assert len(state.open) > 100


def test_file_rows_are_kept_by_epoch() -> None:
    talk = [m for i in range(3) for m in (call("Edit", f"c{i}", file_path="a.py"), result("ok", f"c{i}"))]
    folded = fold(FoldState(), zip([1, 2, EPOCH, EPOCH + 1, 2 * EPOCH, 2 * EPOCH + 1], talk, strict=True))
    rows = [c.file for c in folded.changes if hasattr(c, "file")]
    assert [(r.epoch, r.seq, r.count) for r in rows] == [(0, 2, 1), (1, EPOCH + 1, 1), (2, 2 * EPOCH + 1, 1)]


def test_a_state_of_other_rules_is_refused() -> None:
    raw = {**FoldState().to_json(), "rules_version": 0}
    with pytest.raises(OutdatedState):
        FoldState.from_json(raw)


def test_a_state_of_another_shape_is_refused() -> None:
    raw = FoldState().to_json()
    del raw["open"]
    with pytest.raises(ValueError, match="open"):
        FoldState.from_json(raw)


def test_rules_can_be_left_out_to_measure_them() -> None:
    talk = [(1, person("Never push to main."))]
    without = fold(FoldState(), talk, rules=RULES.without("constraint"))
    assert not any(isinstance(c, AnchorFound) for c in without.changes)


def test_large_results_are_read_in_part_only() -> None:
    huge = "line without end " * 500_000
    done = distil(*ran("pytest -q", huge + "\n3 failed", exit_code=1), person("x " * 50_000))
    assert done.knowledge.situation.verification is not None
    assert len(json.dumps(done.state.to_json())) <= LIMIT
