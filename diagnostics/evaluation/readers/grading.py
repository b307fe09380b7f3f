"""The score of graded forms, per system and kind of item."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

from diagnostics.evaluation.errors import EvaluationError
from diagnostics.evaluation.present_state.labels import PresentState
from diagnostics.evaluation.readers.tasks import FORM, GRADES, KEY
from diagnostics.evaluation.tables import NOTHING, table

PRESENT = ("request", "turn", "next", "state", "broken", "remaining")


@dataclass(slots=True)
class SystemScore:
    """The marks (1, 0, -1) of one system by kind, and what its readers felt."""

    marks: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    confidence: list[float] = field(default_factory=list)
    minutes_lost: list[float] = field(default_factory=list)

    def value(self, *kinds: str) -> float | None:
        """The mean over the items of these kinds, of all where none is named."""
        found = [mark for kind, marks in self.marks.items() if not kinds or kind in kinds for mark in marks]
        return round(mean(found), 3) if found else None


def graded(out: Path, states: Sequence[PresentState]) -> dict[str, SystemScore]:
    """What the graders made of the forms in `out`; cases without `grades.json` are left out. Raises EvaluationError."""
    key = _read(out / KEY)["systems"]
    scores: dict[str, SystemScore] = defaultdict(SystemScore)
    for state in states:
        path = out / state.name / GRADES
        if state.name not in key or not path.exists():
            continue
        kinds = ["turn", *(item.kind for item in state.items)]
        for letter, marks in _read(path).items():
            if letter not in key[state.name]:
                raise EvaluationError(f"{path}: there is no system {letter} in this case.")
            score = scores[key[state.name][letter]]
            for number, kind in enumerate(kinds):
                mark = marks.get(str(number), 0)
                if mark not in (-1, 0, 1):
                    raise EvaluationError(f"{path}: item {number} of {letter} has mark {mark!r}; it must be 1, 0 or -1.")
                score.marks[kind].append(mark)
            _felt(score, out / state.name / f"{letter}.{FORM}")
    if not scores:
        raise EvaluationError(f"There are no graded forms in {out}: no case has {GRADES}.")
    return dict(scores)


def grading_table(scores: dict[str, SystemScore]) -> str:
    kinds = sorted({kind for score in scores.values() for kind in score.marks})
    rows = [
        [
            name,
            *(_number(score.value(*which)) for which in ((), PRESENT, *((kind,) for kind in kinds))),
            *(_number(round(mean(felt), 1) if felt else None) for felt in (score.confidence, score.minutes_lost)),
        ]
        for name, score in sorted(scores.items())
    ]
    return table(["system", "all items", "the present", *kinds, "confidence", "minutes lost"], rows)


def _felt(score: SystemScore, form: Path) -> None:
    if form.exists():
        told = _read(form)
        for felt, name in ((score.confidence, "confidence"), (score.minutes_lost, "minutes_lost")):
            if isinstance(told.get(name), (int, float)):
                felt.append(float(told[name]))


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EvaluationError(f"{path} can't be read: {type(error).__name__}.") from error
    if not isinstance(found, dict):
        raise EvaluationError(f"{path} is no JSON object.")
    return found


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value}"
