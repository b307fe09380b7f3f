"""Models of diagnostics: figures, never words."""

from diagnostics.models.alerts import Alert
from diagnostics.models.attempts import Attempt, AttemptKind
from diagnostics.models.audits import AuditReport
from diagnostics.models.schedules import ScheduledRun
from diagnostics.models.series import Series

__all__ = ["Alert", "Attempt", "AttemptKind", "AuditReport", "ScheduledRun", "Series"]
