"""Logistic regression by Newton's method, in plain Python, and how well it fits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from itertools import groupby
from operator import itemgetter

from continuity.knowledge.coverage.chance import chance
from continuity.knowledge.coverage.weights import Figures, Weights, rounded
from diagnostics.fitting.observations import AHEAD, Observed, TermObservation

ROUNDS = 25
RIDGE = 1.0  # keeps weights finite where a mark tells all
STILL = 1e-9


def fit(observations: Sequence[TermObservation]) -> tuple[float, ...]:
    """The weights of the marks with the least log loss. Raises ValueError without observations."""
    if not observations:
        raise ValueError("There is nothing to fit: no session is long enough.")
    size = len(observations[0].marks)
    weights = [0.0] * size
    for _ in range(ROUNDS):
        step = _solved(*_derivatives(observations, weights))
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
        if max(map(abs, step)) < STILL:
            break
    return tuple(weights)


def _derivatives(observations: Sequence[TermObservation], weights: Sequence[float]) -> tuple[list[list[float]], list[float]]:
    """The curvature and the slope of the log likelihood."""
    size = len(weights)
    curvature = [[RIDGE if row == column else 0.0 for column in range(size)] for row in range(size)]
    slope = [-RIDGE * weight for weight in weights]
    for observation in observations:
        marks = observation.marks
        likely = chance(marks, weights)
        error, spread = observation.again - likely, likely * (1 - likely)
        for row, mark in enumerate(marks):
            slope[row] += mark * error
            scaled, into = mark * spread, curvature[row]
            for column in range(row + 1):
                into[column] += scaled * marks[column]
    for row in range(size):
        for column in range(row):
            curvature[column][row] = curvature[row][column]
    return curvature, slope


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a linear system with a positive matrix, by elimination with pivots."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for place in range(size):
        pivot = max(range(place, size), key=lambda n: abs(rows[n][place]))
        rows[place], rows[pivot] = rows[pivot], rows[place]
        for below in range(place + 1, size):
            share = rows[below][place] / rows[place][place]
            rows[below] = [value - share * above for value, above in zip(rows[below], rows[place], strict=True)]
    found = [0.0] * size
    for place in reversed(range(size)):
        rest = sum(rows[place][n] * found[n] for n in range(place + 1, size))
        found[place] = (rows[place][size] - rest) / rows[place][place]
    return found


def log_loss(observations: Sequence[TermObservation], weights: Sequence[float]) -> float:
    """The mean surprise in nats; 0.0 of no observations."""
    total = 0.0
    for observation in observations:
        likely = chance(observation.marks, weights)
        total -= math.log(likely if observation.again else 1 - likely)
    return total / max(1, len(observations))


def auc(observations: Sequence[TermObservation], weights: Sequence[float]) -> float:
    """The share of pairs, one used again and one not, in which the first is the likelier; half of those that are equal. 0.0 of none."""
    ranked = sorted((chance(each.marks, weights), each.again) for each in observations)
    positives = sum(again for _, again in ranked)
    pairs = positives * (len(ranked) - positives)
    right = below = 0.0
    for _, equal in groupby(ranked, key=itemgetter(0)):
        outcomes = [again for _, again in equal]
        hits = sum(outcomes)
        misses = len(outcomes) - hits
        right += hits * (below + misses / 2)
        below += misses
    return right / pairs if pairs else 0.0


def fitted(train: Observed, validate: Observed, *, seed: int, on: date) -> Weights:
    """The weights fitted on `train` on a day, with how well they fit there and on `validate`. Raises ValueError."""
    values = rounded(fit(train.terms))
    return Weights(
        values,
        fitted=on,
        sessions=train.sessions,
        cuts=train.cuts,
        terms=len(train.terms),
        seed=seed,
        ahead=AHEAD,
        train=Figures(log_loss(train.terms, values), auc(train.terms, values)),
        validate=Figures(log_loss(validate.terms, values), auc(validate.terms, values)),
    )
