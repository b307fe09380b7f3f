"""Making the directive of each labelled present state, and scoring it."""

from __future__ import annotations

import lzma
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from diagnostics.evaluation.present_state.labels import PresentState
from diagnostics.evaluation.present_state.scoring import PresentFigure, Scores, pooled_present, present_score
from diagnostics.evaluation.shares import Share
from diagnostics.evaluation.sizes import DirectiveSize
from diagnostics.evaluation.tables import NOTHING, table
from handoffs.building.oneshot import from_transcript
from handoffs.contract.model import Options

NAMES = {figure: figure.value.replace("_", " ") for figure in PresentFigure}


@dataclass(frozen=True, slots=True)
class PresentMeasured:
    """One case at one size; `used` are tokens."""

    name: str
    text: str
    used: int
    scores: Scores


def measure_present(labels: PresentState, size: DirectiveSize, *, now: datetime) -> PresentMeasured:
    """Raises TranscriptError where the session cannot be read."""
    with unpacked(labels.transcript) as path:
        made = from_transcript(path, Options(budget=size.budget), now=now, cut=labels.cut)
    text = size.text(made.prepared, labels.transcript)
    return PresentMeasured(labels.name, text, made.prepared.package.plan.used, present_score(labels, text))


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """The file itself, or what an .xz file holds for as long as it is needed."""
    if path.suffix != ".xz":
        yield path
        return
    with tempfile.TemporaryDirectory() as folder, lzma.open(path) as packed:
        whole = Path(folder) / path.stem
        with whole.open("wb") as plain:
            shutil.copyfileobj(packed, plain)
        yield whole


def present_table(size: DirectiveSize, measured: list[PresentMeasured]) -> str:
    pooled = pooled_present([each.scores for each in measured])
    used = sum(each.used for each in measured) // max(1, len(measured))
    rows = [[each.name, *_cells(each.scores), str(each.used)] for each in measured]
    return f"## Present state, {size.title}\n\n" + table(
        ["case", *NAMES.values(), "tokens"], [*rows, ["pooled", *_cells(pooled), str(used)], ["items", *_items(pooled), ""]]
    )


def present_document(size: DirectiveSize, measured: list[PresentMeasured]) -> dict[str, object]:
    pooled = pooled_present([each.scores for each in measured])
    return {
        "budget": size.budget,
        "characters": size.characters,
        "pooled": {figure.value: share.value for figure, share in pooled.items()},
        "wrong": {figure.value: pooled[figure].hits for figure in (PresentFigure.FINISHED, PresentFigure.ONE_OFF, PresentFigure.REFUTED)},
        "cases": [{"name": each.name, "used": each.used, **{f.value: s.value for f, s in each.scores.items()}} for each in measured],
    }


def _cells(scores: Scores) -> list[str]:
    return [NOTHING if (value := scores[figure].value) is None else f"{value:.3f}" for figure in PresentFigure]


def _items(scores: Scores) -> list[str]:
    def counted(share: Share) -> str:
        return f"{share.hits}/{share.total}"

    return [counted(scores[figure]) for figure in PresentFigure]
