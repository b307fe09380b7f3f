"""Models of diagnostics: figures, never words."""

from diagnostics.models.alerts import Alert, AlertSeen
from diagnostics.models.attempts import Attempt, AttemptKind
from diagnostics.models.audits import AuditReport
from diagnostics.models.custom import CustomSeries
from diagnostics.models.schedules import ScheduledRun
from diagnostics.models.series import Series
from diagnostics.models.uptimes import Uptime

__all__ = ["Alert", "AlertSeen", "Attempt", "AttemptKind", "AuditReport", "CustomSeries", "ScheduledRun", "Series", "Uptime"]
