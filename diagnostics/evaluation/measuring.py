"""Makes the handoff of a labelled session at its cut, and scores it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from time import perf_counter

from continuity.knowledge.rules.catalogue import RULES, RuleSet
from continuity.transcripts import FORMATS
from diagnostics.evaluation.material import Case
from diagnostics.evaluation.scoring import CoverageScore, score
from diagnostics.evaluation.sizes import DirectiveSize
from handoffs.building.oneshot import from_transcript
from handoffs.contract.model import Options


@dataclass(frozen=True, slots=True)
class Measured:
    """One session at one size. `used` are tokens of the target model, `seconds` from opening the file to the checked directive."""

    name: str
    score: CoverageScore
    used: int
    seconds: float


def measure(case: Case, size: DirectiveSize, *, now: datetime, rules: RuleSet = RULES) -> Measured:
    """Raises TranscriptError where the session cannot be read."""
    labels = case.labels
    started = perf_counter()
    made = from_transcript(
        case.transcript,
        Options(budget=size.budget),
        now=now,
        format=labels.format if labels.format in FORMATS else "auto",
        cut=labels.cut,
        rules=rules,
    )
    seconds = perf_counter() - started
    return Measured(labels.name, score(labels, size.text(made.prepared, case.transcript)), made.prepared.package.plan.used, seconds)
