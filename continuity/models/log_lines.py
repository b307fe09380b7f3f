"""Log lines of the last day, of all processes on all hosts, to be found by their correlation id (FR-045)."""

from django.db import models


class LogLine(models.Model):
    """One line as it was logged, masked and cut to a length; never a conversation's words. `process` is the program and its pid."""

    logged_at = models.DateTimeField()
    level = models.CharField(max_length=10)
    correlation_id = models.CharField(max_length=100)
    component = models.CharField(max_length=100)
    message = models.TextField()
    metadata = models.JSONField(default=dict)
    host = models.CharField(max_length=100)
    process = models.CharField(max_length=40)

    class Meta:
        indexes = [
            # All that one request, task or start logged.
            models.Index(fields=["correlation_id", "logged_at", "id"], name="log_line_correlation"),
            # The latest of all, and those that are to go.
            models.Index(fields=["logged_at", "id"], name="log_line_time"),
        ]

    def __str__(self) -> str:
        return f"{self.logged_at:%H:%M:%S} {self.level.upper()} {self.component}: {self.message[:80]}"
