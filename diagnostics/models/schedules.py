"""Runs of scheduled work, and how each ended: one row for each, whichever worker did it."""

from django.db import models


class ScheduledRun(models.Model):
    """`name` is the task's; `started_at` may be later than `finished_at` while it runs. `error` is the kind of the last failure;
    `failing_since` is when it failed first since it last succeeded."""

    name = models.CharField(max_length=120, primary_key=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    seconds = models.FloatField(null=True)
    runs = models.PositiveBigIntegerField(default=0)
    failures = models.PositiveBigIntegerField(default=0)
    failed_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    error = models.CharField(max_length=120, blank=True)

    def __str__(self) -> str:
        return self.name
