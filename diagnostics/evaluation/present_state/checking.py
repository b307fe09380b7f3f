"""How much of what is wrong in given directives the check of agreement sees, and how much it says of lines that nothing speaks against."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from diagnostics.evaluation.errors import EvaluationError
from diagnostics.evaluation.present_state.labels import PresentState
from diagnostics.evaluation.present_state.measuring import unpacked
from diagnostics.evaluation.present_state.stale_lines import wrong_lines
from diagnostics.evaluation.shares import Share
from diagnostics.evaluation.tables import NOTHING, table
from handoffs.building.oneshot import timeline_of
from handoffs.fidelity.agreement import RawEvidence, agreement_of, claimed_lines, disagreements


class CheckFigure(StrEnum):
    """Flagged shares, of the lines that are wrong (more is better) by kind and of all of them, and of all other lines (less is better)."""

    OVER = "over"
    GOALS = "goals"
    RULES = "rules"
    WRONG = "wrong"
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class DirectiveChecked:
    """One directive: its score, and the flagged shares of its lines."""

    name: str
    agreement: float
    shares: dict[CheckFigure, Share]


def check_directive(labels: PresentState, folder: Path) -> DirectiveChecked:
    """Raises EvaluationError where the folder has no directive of the case, TranscriptError where its session cannot be read."""
    path = folder / f"{labels.name}.md"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise EvaluationError(f"{path} cannot be read as the directive of case {labels.name}: {type(error).__name__}.") from error
    with unpacked(labels.transcript) as session:
        course = timeline_of(session, cut=labels.cut)
    lines = claimed_lines(text)
    found = disagreements(lines, RawEvidence(course))
    flagged = {each.line for each in found}
    wrong = wrong_lines(labels, text, course)
    groups = {
        CheckFigure.OVER: wrong.over,
        CheckFigure.GOALS: wrong.goals,
        CheckFigure.RULES: wrong.rules,
        CheckFigure.WRONG: wrong.over | wrong.goals | wrong.rules,
        CheckFigure.OTHERS: wrong.others,
    }
    return DirectiveChecked(
        labels.name,
        agreement_of(lines, found),
        {figure: Share.of(number in flagged for number in sorted(group)) for figure, group in groups.items()},
    )


def check_table(checked: list[DirectiveChecked]) -> str:
    rows = [[each.name, *_cells(each.shares), f"{each.agreement:.3f}"] for each in checked]
    pooled = _pooled(checked)
    items = [f"{pooled[figure].hits}/{pooled[figure].total}" for figure in CheckFigure]
    mean = sum(each.agreement for each in checked) / max(1, len(checked))
    heads = ["case", *(figure.value for figure in CheckFigure), "agreement"]
    return "## The check\n\n" + table(heads, [*rows, ["pooled", *_cells(pooled), f"{mean:.3f}"], ["lines", *items, ""]])


def check_document(checked: list[DirectiveChecked]) -> dict[str, object]:
    return {
        "pooled": {figure.value: share.value for figure, share in _pooled(checked).items()},
        "cases": [
            {"name": each.name, "agreement": each.agreement, **{figure.value: share.value for figure, share in each.shares.items()}}
            for each in checked
        ],
    }


def _pooled(checked: list[DirectiveChecked]) -> dict[CheckFigure, Share]:
    return {figure: sum((each.shares[figure] for each in checked), Share()) for figure in CheckFigure}


def _cells(shares: dict[CheckFigure, Share]) -> list[str]:
    return [NOTHING if (value := shares[figure].value) is None else f"{value:.3f}" for figure in CheckFigure]
