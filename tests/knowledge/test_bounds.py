"""The fold's state keeps its bound with every map of evidence at its own."""

from __future__ import annotations

import json

from continuity.knowledge import FoldState, fold
from continuity.knowledge.state.bounded_maps import BoundedMap
from continuity.knowledge.state.state import CHECKS, EXCERPTS, NAMED, OUTSIDE, TERMS, UNITS
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, call, person, ran, result

LIMIT = 256 * 1024
ODD = "ü€漢字😀" * 12


def evidence(i: int) -> list[Message]:
    """Messages that fill the maps of names, files named, checks, changes outside, trees, symbols and documents."""
    text = "".join(f"def name_{i}_{j}():\n" for j in range(12))
    return [
        person(f"Never touch module_{i}_{ODD}. See docs/plan_{i}.md, src/{ODD}/file_{i}.py and fooBarBaz{i}."),
        agent(f"The root cause is `value_{i}` in src/part_{i}/some_long_file_name_{i}.ts, not {ODD}."),
        *ran(f"pytest tests/{ODD}/test_{i}.py", f"{i} passed {ODD}", call_id=f"p{i}"),
        *ran(f"tool{i}{ODD[:20]} create object-{i} x/{ODD}", call_id=f"o{i}"),
        *ran("git status -s", f"?? {ODD}{i}.py\n" * 9, call_id=f"s{i}"),
        *ran(f"ls {ODD}{i}", " ".join(f"shown_name_{i}_{j}" for j in range(9)), call_id=f"l{i}"),
        call("Write", f"w{i}", file_path=f"src/{ODD}/m{i}.py", content=text),
        result("ok", f"w{i}"),
        call("Read", f"r{i}", file_path=f"src/{ODD}/shown_{i}.py"),
        result("".join(f"def shown_{i}_{j}():\n" + f"    step('{ODD}')\n" * 5 for j in range(4)), f"r{i}"),
    ]


def size(state: FoldState) -> int:
    return len(json.dumps(state.to_json()))


def test_it_works() -> None:
    assert 0 < size(fold(FoldState(), enumerate(evidence(1), 1)).state) < LIMIT


def test_the_state_is_bounded_with_all_evidence_at_its_bounds() -> None:
    state = FoldState()
    for start in range(0, 600, 100):
        talk = [message for i in range(start, start + 100) for message in evidence(i)]
        state = fold(state, enumerate(talk, state.through_seq + 1)).state
        assert size(state) <= LIMIT
    words = ((state.terms, TERMS), (state.units, UNITS))
    for filled, (count, limit) in (
        *words,
        (state.named, NAMED),
        (state.checks, CHECKS),
        (state.outside, OUTSIDE),
        (state.excerpts, EXCERPTS),
    ):
        assert near(filled, count, limit)


def near(filled: BoundedMap, count: int, limit: int) -> bool:  # type: ignore[type-arg]
    """Whether a map holds about as much as it may: by number, or by bytes."""
    return len(filled) == count or len(json.dumps(filled.to_json())) > limit * 0.6
