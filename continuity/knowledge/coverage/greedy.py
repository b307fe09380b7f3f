"""The choice of units: each time the one that adds most for its room, beside all that was said."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from continuity.knowledge.coverage.carried import Carried, KeptUnit
from continuity.knowledge.coverage.terms import terms_in

LEAST_NEW = 0.05  # share of a unit's weight that must be new


def chosen(
    weighed: Sequence[Mapping[str, float]],
    costs: Sequence[int],
    room: int,
    said: Iterable[str] = (),
    *,
    most: int | None = None,
) -> list[int]:
    """The places of the units to tell, the best first: worth ÷ √cost × the share of their terms' weight that nobody said yet.

    `weighed` holds the terms of each with their weights, `costs` what each takes of `room`, `said` the terms told already. What a unit
    adds only ever falls as more is said, so one whose value still stands when its turn comes is the best; equals go by their place.
    """
    told = set(said)
    totals = [sum(weights.values()) for weights in weighed]
    plain = [math.log1p(total) / math.sqrt(max(1, cost)) for total, cost in zip(totals, costs, strict=True)]
    queue = [(-value, place) for place, value in enumerate(plain) if value > 0 and costs[place] <= room]
    heapq.heapify(queue)
    found: list[int] = []
    while queue and (most is None or len(found) < most):
        _, place = heapq.heappop(queue)
        if costs[place] > room:
            continue
        new = sum([weight for term, weight in weighed[place].items() if term not in told]) / totals[place]
        if new < LEAST_NEW:
            continue
        now = -plain[place] * new
        if queue and (now, place) > queue[0]:
            heapq.heappush(queue, (now, place))
            continue
        found.append(place)
        told.update(weighed[place])
        room -= costs[place]
    return found


def best_units(carried: Carried, said: Iterable[str], room: int, count: Callable[[str], int], *, extra: int = 0) -> list[KeptUnit]:
    """The units to tell within `room` tokens beside a text with the terms `said`, the best first; `count` gives a text's tokens, each unit
    takes `extra` besides."""
    if room <= 0:
        return []
    weights = {each.term: each.weight for each in carried.weights}
    weighed = [{term: weights[term] for term in terms_in(unit.text) if term in weights} for unit in carried.units]
    costs = [count(unit.text) + extra for unit in carried.units]
    return [carried.units[place] for place in chosen(weighed, costs, room, said)]
