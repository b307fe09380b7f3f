"""For how much of each month the installation was ready."""

from django.db import models


class Uptime(models.Model):
    """A month, by its first day. `ready_seconds` of the time since `since`; `ready` is what the last look found, at `looked_at`."""

    month = models.DateField(primary_key=True)
    since = models.DateTimeField()
    looked_at = models.DateTimeField()
    ready = models.BooleanField()
    ready_seconds = models.FloatField(default=0.0)

    def __str__(self) -> str:
        return f"{self.month:%B %Y}"
