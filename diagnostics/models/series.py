"""Counted metrics, kept across processes and restarts."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from diagnostics.measuring.points import OTHER


class SeriesQuerySet(models.QuerySet["Series"]):
    def named(self, id_label: str) -> "SeriesQuerySet":
        """Those that have an id of their own under this label."""
        return self.filter(id_label=id_label).exclude(subject=OTHER)


class Series(models.Model):
    """A counter or histogram under one set of labels. `subject` is the value of `id_label`, "other", or empty where there is none.

    `buckets` count what lies in each bound of the instrument and, last, above them; a counter has none.
    """

    instrument = models.CharField(max_length=80)
    id_label = models.CharField(max_length=20, blank=True)
    subject = models.CharField(max_length=40, blank=True)
    labels = models.JSONField(default=list)
    count = models.BigIntegerField(default=0)
    total = models.FloatField(default=0.0)
    buckets = ArrayField(models.BigIntegerField(), default=list)
    since = models.DateTimeField()
    updated_at = models.DateTimeField()

    objects = SeriesQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "series"
        constraints = [models.UniqueConstraint(fields=["instrument", "subject", "labels"], name="series_once")]
        # Which ids have a series of their own, and which of them were quiet the longest.
        indexes = [models.Index(fields=["id_label", "updated_at"], name="series_ids")]

    def __str__(self) -> str:
        return f"{self.instrument} {self.subject}".strip()
