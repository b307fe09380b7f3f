"""Figures as JSON values, under the names of the measure's definition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from diagnostics.evaluation.measuring import Measured
from diagnostics.evaluation.recall import Recalled, mean
from diagnostics.evaluation.scoring import CoverageScore, pooled
from diagnostics.evaluation.sizes import DirectiveSize


def score_document(size: DirectiveSize, measured: Sequence[Measured]) -> dict[str, Any]:
    """The figures at one size, pooled and per session; shares are 0..1 with three digits, null of no items."""
    return {
        "budget": size.budget,
        "characters": size.characters,
        "pooled": {
            **_score(pooled([each.score for each in measured])),
            "used": sum(each.used for each in measured) // max(1, len(measured)),
            "seconds": round(sum(each.seconds for each in measured), 3),
        },
        "sessions": [{"name": each.name, **_score(each.score), "used": each.used, "seconds": round(each.seconds, 3)} for each in measured],
    }


def recall_document(recalled: Sequence[Recalled]) -> dict[str, Any]:
    """Continuation recall at each boundary and on average."""
    return {
        "boundaries": [asdict(each) for each in recalled],
        "mean": {whose: asdict(mean([getattr(each, whose) for each in recalled])) for whose in ("ours", "summary", "tail")},
    }


def _score(score: CoverageScore) -> dict[str, Any]:
    return {
        **{figure.value: share.value for figure, share in score.figures.items()},
        "anchors_by_type": {group: share.value for group, share in sorted(score.by_type.items())},
        "probes_by_dimension": {group: share.value for group, share in sorted(score.by_dimension.items())},
        "tokens": score.tokens,
    }
