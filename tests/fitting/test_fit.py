"""Weights are fitted without labels, and the same sessions give the same file to the byte."""

from __future__ import annotations

import json
import math
from datetime import date
from pathlib import Path

import pytest
from django.core.management import call_command

from continuity.knowledge.coverage import weights
from diagnostics.fitting.observations import TermObservation, observe
from diagnostics.fitting.regression import auc, fit, fitted, log_loss
from tests.knowledge.talk import agent, call, person

TALK = [
    turn
    for i in range(60)
    for turn in (
        person(f"Look at main_file.py and thing_{i}."),
        agent(f"I see once_{i} there."),
        call("Edit", f"e{i}", file_path="main_file.py", old_string=f"thing_{i}"),
    )
]


def test_it_works() -> None:
    seen = observe([TALK, TALK[:90]], seed=3)
    found = fitted(seen, seen, seed=3, on=date(2026, 1, 2))
    assert found == fitted(observe([TALK, TALK[:90]], seed=3), seen, seed=3, on=date(2026, 1, 2))
    assert (found.sessions, found.cuts) == (2, 10)
    assert found.train.auc > 0.9
    assert weights.read_weights(weights.written(found)).values == found.values


def test_the_regression_finds_what_is_there() -> None:
    marks = [(1.0, x / 10, 0.0, 0.0, 0.0, 0.0) for x in range(-20, 21)]
    seen = [TermObservation(mark, n % 100 < 100 / (1 + math.exp(-(1 - 2 * mark[1])))) for mark in marks for n in range(100)]
    found = fit(seen)
    assert found[:2] == pytest.approx((1.0, -2.0), abs=0.1)
    assert log_loss(seen, found) < log_loss(seen, (0.0,) * 6)
    assert auc(seen, found) > 0.8


def test_the_share_of_pairs_counts_equals_half() -> None:
    def one(mark: float, again: bool) -> TermObservation:
        return TermObservation((mark, 0.0, 0.0, 0.0, 0.0, 0.0), again)

    weight = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert auc([one(1, True), one(0, False)], weight) == 1.0
    assert auc([one(0, True), one(0, False)], weight) == 0.5
    assert auc([one(0, True), one(1, False), one(-1, False)], weight) == 0.5


def test_no_session_is_no_fit() -> None:
    with pytest.raises(ValueError, match="nothing to fit"):
        fit(observe([], seed=1).terms)


def test_the_command_writes_the_same_file_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("train", "validate"):
        tmp_path.joinpath(name).mkdir()
        lines = [
            {
                "type": "user",
                "uuid": f"{n}",
                "sessionId": "s",
                "timestamp": "2026-01-01T00:00:00Z",
                "message": {"role": "user", "content": t},
            }
            for n, t in enumerate(f"Look at main_file.py and thing_{i % 7} and once_{i}." for i in range(120))
        ]
        tmp_path.joinpath(name, "one.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    written = []
    for number in range(2):
        file = tmp_path / f"{number}.toml"
        monkeypatch.setattr("diagnostics.management.commands.fit.FILE", file)
        call_command("fit", corpus=tmp_path, date=date(2026, 1, 2), write=True)
        written.append(file.read_bytes())
    assert written[0] == written[1]
    assert weights.read_weights(written[0].decode()).sessions == 1


def test_a_missing_corpus_is_told() -> None:
    with pytest.raises(SystemExit) as stopped:
        call_command("fit", corpus=Path("/nowhere"))
    assert stopped.value.code == 2
