"""BM25 over counted terms, and columns of numbers in one scale."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

Query = Mapping[str, float]


def query_of(terms: Mapping[str, int]) -> dict[str, float]:
    """The terms of a query with weights that grow with the count, but slower."""
    return {term: 1 + math.log(times) for term, times in terms.items()}


def bm25(
    query: Query,
    documents: Sequence[Mapping[str, int]],
    lengths: Sequence[float] | None = None,
    *,
    saturation: float = 1.2,
    by_length: float = 0.5,
) -> list[float]:
    """A score for each document (its terms with how often; `lengths` where these are not all of its terms)."""
    holding: Counter[str] = Counter()
    for document in documents:
        holding.update(term for term in query if term in document)
    sizes = lengths if lengths is not None else [float(sum(document.values())) for document in documents]
    count = len(documents)
    mean = sum(sizes) / count if count and sum(sizes) > 0 else 1.0
    weights = {t: w * math.log(1 + (count - holding[t] + 0.5) / (holding[t] + 0.5)) for t, w in query.items() if holding[t]}
    scores = []
    for document, size in zip(documents, sizes, strict=True):
        damping = saturation * (1 - by_length + by_length * size / mean)
        here = [(weight, document[term]) for term, weight in weights.items() if document.get(term)]
        scores.append(sum(weight * times * (saturation + 1) / (times + damping) for weight, times in here))
    return scores


def scaled(column: Sequence[float]) -> list[float]:
    """Divided by the greatest, so that it is at most 1."""
    most = max(column, default=0.0)
    return [value / most for value in column] if most > 0 else list(column)


def damped(column: Sequence[float]) -> list[float]:
    """Each further one counts less."""
    return [math.log1p(value) for value in column]
