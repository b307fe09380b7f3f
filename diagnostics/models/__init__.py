"""Models of diagnostics: figures, never words."""

from diagnostics.models.alerts import Alert, AlertSeen
from diagnostics.models.attempts import Attempt, AttemptKind
from diagnostics.models.audits import AuditReport
from diagnostics.models.schedules import ScheduledRun
from diagnostics.models.series import Series

__all__ = ["Alert", "AlertSeen", "Attempt", "AttemptKind", "AuditReport", "ScheduledRun", "Series"]
