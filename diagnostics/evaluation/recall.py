"""Continuation recall: our handoff at a compaction beside the tool's own summary and the plain tail, all of one size."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from time import perf_counter

from continuity.knowledge.rules.catalogue import RULES, RuleSet
from continuity.usage.tokens import counter_for
from diagnostics.evaluation.boundaries import Boundary, find_boundaries
from diagnostics.evaluation.errors import EvaluationError
from diagnostics.evaluation.index import readable
from diagnostics.evaluation.sizes import DirectiveSize
from handoffs.building.oneshot import from_transcript
from handoffs.building.preparation import MAX_BUDGET, MIN_BUDGET
from handoffs.contract.model import Options

# A directive counts as as long as the summary from here on; a few handoffs come that near.
AS_LONG = 0.98
TRIES = 4


@dataclass(frozen=True, slots=True)
class Recall:
    """Shares, 0..1, of the names that the continuation needed and that it had from its context."""

    needed: float
    carried: float


@dataclass(frozen=True, slots=True)
class Recalled:
    """One boundary. `budget` are the tokens with which our directive is as long as the tool's summary, `size` its characters as a share
    of the summary's."""

    session: str
    line: int
    budget: int
    needed: int
    carried: int
    ours: Recall
    summary: Recall
    tail: Recall
    size: float
    seconds: float


def share_stated(context: str, names: Collection[str]) -> float | None:
    """The share of the names that the context holds, its index capped; None of no names."""
    if not names:
        return None
    told = readable(context)
    return sum(name in told for name in names) / len(names)


def recall_of(context: str, boundary: Boundary) -> Recall:
    """How much of what the continuation used is in the context."""
    return Recall(share_stated(context, boundary.needed) or 0.0, share_stated(context, boundary.carried) or 0.0)


def recall_at(boundary: Boundary, *, now: datetime, rules: RuleSet = RULES, size: DirectiveSize | None = None) -> Recalled:
    """Our handoff at the boundary, no longer than the tool's own summary: a character of ours holds more tokens than one of its prose.
    With `size` what is delivered at that, and the tail is as long."""
    if size is not None:
        return _delivered(boundary, size, now=now, rules=rules)
    budget = _bounded(counter_for("").count(boundary.summary))
    tried: list[tuple[float, int, str, float]] = []
    for _ in range(TRIES):
        started = perf_counter()
        made = from_transcript(boundary.session, Options(budget=budget), now=now, cut=boundary.line, rules=rules)
        share = len(made.prepared.text) / len(boundary.summary)
        tried.append((share, budget, made.prepared.text, perf_counter() - started))
        if AS_LONG <= share <= 1:
            break
        budget = _bounded(round(budget * (AS_LONG + 1) / 2 / share))
    _, budget, text, seconds = max((each for each in tried if each[0] <= 1), default=min(tried))
    return _recalled(boundary, text, budget, seconds, tail=len(boundary.summary))


def _delivered(boundary: Boundary, size: DirectiveSize, *, now: datetime, rules: RuleSet) -> Recalled:
    started = perf_counter()
    made = from_transcript(boundary.session, Options(budget=size.budget), now=now, cut=boundary.line, rules=rules)
    text = size.text(made.prepared, boundary.session)
    return _recalled(boundary, text, size.budget, perf_counter() - started, tail=len(text))


def _recalled(boundary: Boundary, text: str, budget: int, seconds: float, *, tail: int) -> Recalled:
    return Recalled(
        session=boundary.session.name,
        line=boundary.line,
        budget=budget,
        needed=len(boundary.needed),
        carried=len(boundary.carried),
        ours=recall_of(text, boundary),
        summary=recall_of(boundary.summary, boundary),
        tail=recall_of(boundary.before[-tail:], boundary),
        size=len(text) / len(boundary.summary),
        seconds=seconds,
    )


def _bounded(budget: int) -> int:
    return min(MAX_BUDGET, max(MIN_BUDGET, budget))


def recall_in(sessions: Sequence[Path], *, now: datetime, rules: RuleSet = RULES, size: DirectiveSize | None = None) -> list[Recalled]:
    """All boundaries of the sessions that can be scored. Raises EvaluationError where there are none."""
    found = [boundary for session in sessions for boundary in find_boundaries(session) if boundary.tells]
    if not found:
        raise EvaluationError("None of the sessions has a compaction with a summary after which at least ten known names were used.")
    return [recall_at(boundary, now=now, rules=rules, size=size) for boundary in found]


def mean(recalls: Sequence[Recall]) -> Recall:
    """The plain mean: every boundary weighs the same."""
    count = max(1, len(recalls))
    return Recall(sum(each.needed for each in recalls) / count, sum(each.carried for each in recalls) / count)
