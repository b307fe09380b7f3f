"""Keeping the figures of every check, and their averages."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Avg, Count, Q, Sum

from continuity.core.errors import Invalid
from continuity.models import Team
from continuity.services.accounts import gates
from continuity.services.erasure import retention
from continuity.services.recording.row_sql import insert
from handoffs.contract.model import FidelityReport, Severity
from handoffs.fidelity.probes import shares
from handoffs.models import CheckCause, FidelityCheck, Handoff

GATE = "Agents.Continuity.Metrics"
MODELS = 100


@dataclass(frozen=True, slots=True)
class Average:
    """The checks of one model (empty where none was named) or of all: scores are 0..1, None where nothing was checked or asked."""

    model: str
    checks: int
    passed: int
    overall: float | None
    anchors: float | None
    tasks: float | None
    state: float | None
    coverage: float | None
    probes_asked: int
    probes_answered: int

    @property
    def probes(self) -> float | None:
        return self.probes_answered / self.probes_asked if self.probes_asked else None


def record(*, handoff: Handoff, report: FidelityReport, cause: CheckCause) -> None:
    """Keeps the figures of a check. The caller's transaction, after the handoff is saved."""
    by_kind = shares(report.probes)
    check = FidelityCheck(
        team_id=handoff.team_id,
        handoff=handoff,
        version=handoff.version,
        cause=cause,
        model=handoff.conversation.model,
        passed=report.passes_threshold,
        overall=report.overall_fidelity_score,
        anchors=report.anchor_preservation_score,
        tasks=report.task_preservation_score,
        state=report.state_preservation_score,
        coverage=report.coverage,
        repairs=report.repairs,
        issues=len(report.issues),
        critical=sum(issue.severity is Severity.CRITICAL for issue in report.issues),
        probes_asked=sum(share.asked for share in by_kind),
        probes_answered=sum(share.answered for share in by_kind),
        probes={share.kind.value: {"asked": share.asked, "answered": share.answered} for share in by_kind},
    )
    insert(check)


def averages(*, team: Team, now: datetime, days: int) -> tuple[Average, list[Average]]:
    """Of all checks of the team in the last `days`, and by model, the most checked first. Two queries.

    Raises GateClosed below tier Teams, Invalid on days out of range.
    """
    gates.require(team, GATE)
    if not 1 <= days <= settings.CONTINUITY_METRICS_DAYS:
        raise Invalid(f"days must lie between 1 and {settings.CONTINUITY_METRICS_DAYS}.", field="days")
    rows = FidelityCheck.objects.filter(team=team, created_at__gte=now - timedelta(days=days))
    grouped: Any = rows.values("model").annotate(**_FIGURES)
    by_model = grouped.order_by("-checks_made", "model")[:MODELS]
    return _average("", rows.aggregate(**_FIGURES)), [_average(row["model"], row) for row in by_model]


def forget(*, now: datetime) -> int:
    """Deletes checks that no average looks at any more. Returns how many."""
    return retention.in_batches(FidelityCheck.objects.filter(created_at__lt=now - timedelta(days=settings.CONTINUITY_METRICS_DAYS)))


_FIGURES: dict[str, Any] = {
    "checks_made": Count("id"),
    "checks_passed": Count("id", filter=Q(passed=True)),
    "mean_overall": Avg("overall"),
    "mean_anchors": Avg("anchors"),
    "mean_tasks": Avg("tasks"),
    "mean_state": Avg("state"),
    "mean_coverage": Avg("coverage"),
    "all_asked": Sum("probes_asked", default=0),
    "all_answered": Sum("probes_answered", default=0),
}


def _average(model: str, row: Mapping[str, Any]) -> Average:
    return Average(
        model=model,
        checks=row["checks_made"],
        passed=row["checks_passed"],
        overall=row["mean_overall"],
        anchors=row["mean_anchors"],
        tasks=row["mean_tasks"],
        state=row["mean_state"],
        coverage=row["mean_coverage"],
        probes_asked=row["all_asked"],
        probes_answered=row["all_answered"],
    )
