"""Fits the weights of signals: which files of all get the mass of a softmax, held small; and how well that does on cases left out."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import TypeAlias

from diagnostics.locating.cases import Example

STEPS, FOLDS = 250, 10
SHRINKING = 0.02
HARD, OTHERS = 60, 20  # files of an example that were not changed: those that look best, and any
FIRST_STEPS, LATER_STEPS = 0.03, 0.006
LOOKS_BEST = ("content", "recent", "message", "path", "latest")

Values: TypeAlias = Sequence[tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class _Sample:
    """Values of signals by file (`rows`) and by signal (`columns`), and the share of the mass that each file should get."""

    rows: Values
    columns: Values
    wanted: Sequence[float]


@dataclass(frozen=True, slots=True)
class LocatingFigures:
    recall_at_10: float
    hit_at_3: float
    cases: int


def fitted(examples: Sequence[Example], names: Sequence[str], *, seed: int) -> dict[str, float]:
    """Weights by the name of a signal. The same examples and seed give the same weights."""
    samples = [_sample(example, names, random.Random(f"{seed}:{n}")) for n, example in enumerate(examples)]
    weights, squares = [0.0] * len(names), [0.0] * len(names)
    for step in range(STEPS):
        gradient = [-SHRINKING * weight * len(samples) for weight in weights]
        for sample in samples:
            scores = [sum(map(mul, weights, row)) for row in sample.rows]
            most = max(scores)
            parts = [math.exp(score - most) for score in scores]
            total = sum(parts)
            pulls = [share - part / total for part, share in zip(parts, sample.wanted, strict=True)]
            gradient = [g + sum(map(mul, pulls, column)) for g, column in zip(gradient, sample.columns, strict=True)]
        gradient = [g / len(samples) for g in gradient]
        squares = [0.9 * s + 0.1 * g * g if step else g * g for s, g in zip(squares, gradient, strict=True)]
        rate = FIRST_STEPS if step < STEPS // 2 else LATER_STEPS
        weights = [w + rate * g / math.sqrt(s + 1e-8) for w, g, s in zip(weights, gradient, squares, strict=True)]
    return {name: round(weight, 4) for name, weight in zip(names, weights, strict=True)}


def cross_validated(examples: Sequence[Example], names: Sequence[str], *, seed: int) -> dict[tuple[bool, bool], LocatingFigures]:
    """Figures by (first prompt only, with sessions), each case judged by weights that were fitted without it and
    those near it in order: neighbours are often about one thing."""
    order = list(dict.fromkeys(example.case.id for example in examples))
    fold = {id: n * FOLDS // len(order) for n, id in enumerate(order)}
    judged: list[tuple[Example, Mapping[str, float]]] = []
    for out in range(FOLDS):
        inside = [example for example in examples if fold[example.case.id] != out]
        outside = [example for example in examples if fold[example.case.id] == out]
        if inside and outside:
            weights = fitted(inside, names, seed=seed)
            judged += [(example, weights) for example in outside]
    return figures(judged)


def figures(judged: Sequence[tuple[Example, Mapping[str, float]]]) -> dict[tuple[bool, bool], LocatingFigures]:
    groups: dict[tuple[bool, bool], list[tuple[float, bool]]] = {}
    for example, weights in judged:
        groups.setdefault((example.first, example.sessions), []).append(_judge(example, weights))
    return {
        key: LocatingFigures(sum(recall for recall, _ in group) / len(group), sum(hit for _, hit in group) / len(group), len(group))
        for key, group in sorted(groups.items())
    }


def _judge(example: Example, weights: Mapping[str, float]) -> tuple[float, bool]:
    """Share of the changed files among the first ten, and whether one is among the first three."""
    scores = [math.fsum(weights.get(name, 0.0) * column[i] for name, column in example.columns.items()) for i in range(len(example.paths))]
    order = [example.paths[i] for i in sorted(range(len(scores)), key=lambda i: (-scores[i], example.paths[i]))]
    changed = example.case.changed
    return len(changed.intersection(order[:10])) / len(changed), not changed.isdisjoint(order[:3])


def _sample(example: Example, names: Sequence[str], chance: random.Random) -> _Sample:
    """Of the changed files and of some others."""
    changed = [i for i, path in enumerate(example.paths) if path in example.case.changed]
    rest = [i for i, path in enumerate(example.paths) if path not in example.case.changed]
    rest.sort(key=lambda i: (-sum(example.columns[name][i] for name in LOOKS_BEST), i))
    others = rest[:HARD] + chance.sample(rest[HARD:], min(OTHERS, len(rest[HARD:])))
    rows = [tuple(example.columns[name][i] for name in names) for i in (*changed, *others)]
    return _Sample(rows, list(zip(*rows, strict=True)), [1 / max(1, len(changed))] * len(changed) + [0.0] * len(others))
