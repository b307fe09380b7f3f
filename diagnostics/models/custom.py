"""Figures that teams measure themselves (FR-049)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from continuity.models import Team


class CustomSeries(models.Model):
    """One metric of a team under one set of labels: a counter's total, a gauge's last value, or a histogram's sum and buckets."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=60)
    kind = models.CharField(max_length=10)
    labels = models.JSONField(default=list)
    count = models.BigIntegerField(default=0)
    total = models.FloatField(default=0.0)
    buckets = ArrayField(models.BigIntegerField(), default=list)
    since = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "custom series"
        constraints = [models.UniqueConstraint(fields=["team", "name", "labels"], name="custom_series_once")]
        # Of a team that has as many as it may, those that were quiet the longest.
        indexes = [models.Index(fields=["team", "updated_at"], name="custom_series_quiet")]

    def __str__(self) -> str:
        return self.name
