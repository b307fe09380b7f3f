"""A context against labels: yes or no for every item, as shares. No model, no judgement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from diagnostics.evaluation.coverage import covered
from diagnostics.evaluation.labels import Labels
from diagnostics.evaluation.leaks import is_leaked
from diagnostics.evaluation.paths import named
from diagnostics.evaluation.shares import Share, grouped, merged
from diagnostics.evaluation.stale import is_stale
from diagnostics.evaluation.units import Units

BYTES_A_TOKEN = 4


class ScoreFigure(StrEnum):
    """What is measured; of `stale` and `tasks_done_leak` less is better."""

    CRITICAL = "critical"
    ANCHORS = "anchors"
    STALE = "stale"
    TASKS_OPEN = "tasks_open"
    TASKS_DONE_LEAK = "tasks_done_leak"
    FILES = "files"
    PROBES = "probes"


@dataclass(frozen=True, slots=True)
class CoverageScore:
    """The shares of one context, or of several pooled. `tokens` is bytes / 4 of a context (of several: on average)."""

    figures: Mapping[ScoreFigure, Share]
    by_type: Mapping[str, Share]
    by_dimension: Mapping[str, Share]
    tokens: int


def score(labels: Labels, context: str) -> CoverageScore:
    """How much of what the labels name stands in the context."""
    units = Units.of(context)
    current = labels.current
    stated = [covered(anchor.tokens, units.windows) for anchor in current]
    answered = [covered(probe.tokens, units.windows) for probe in labels.probes]
    figures = {
        ScoreFigure.CRITICAL: Share.of(known for anchor, known in zip(current, stated, strict=True) if anchor.critical),
        ScoreFigure.ANCHORS: Share.of(stated),
        ScoreFigure.STALE: Share.of(is_stale(old, current, units) for old in labels.superseded),
        ScoreFigure.TASKS_OPEN: Share.of(covered(task.tokens, units.windows) for task in labels.tasks if not task.completed),
        ScoreFigure.TASKS_DONE_LEAK: Share.of(is_leaked(task, units) for task in labels.tasks if task.completed),
        ScoreFigure.FILES: Share.of(named(labels.files, context)),
        ScoreFigure.PROBES: Share.of(answered),
    }
    return CoverageScore(
        figures,
        grouped((anchor.type, known) for anchor, known in zip(current, stated, strict=True)),
        grouped((probe.dimension, known) for probe, known in zip(labels.probes, answered, strict=True)),
        len(context.encode("utf-8", "replace")) // BYTES_A_TOKEN,
    )


def pooled(scores: Sequence[CoverageScore]) -> CoverageScore:
    """One score over the items of all. Every session weighs as much as it has items."""
    return CoverageScore(
        merged(each.figures for each in scores),
        merged(each.by_type for each in scores),
        merged(each.by_dimension for each in scores),
        sum(each.tokens for each in scores) // max(1, len(scores)),
    )
