"""Every check of a package in figures: they stay when the package is gone."""

from django.db import models

from continuity.models import Team
from continuity.models.base import StoredModel
from handoffs.models.handoffs import Handoff


class CheckCause(models.TextChoices):
    PREPARED = "prepared"
    CHANGED = "changed"
    TOPPED_UP = "topped_up"


class FidelityCheck(StoredModel):
    """The scores (0..1) of one check, numbers of issues, and the probes asked and answered; `probes` has them by kind.

    No words: what was missing stands in the package's own report.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    handoff = models.ForeignKey(Handoff, on_delete=models.SET_NULL, null=True, blank=True, related_name="checks")
    version = models.PositiveIntegerField()
    cause = models.CharField(max_length=10, choices=CheckCause.choices)
    model = models.CharField(max_length=120, blank=True)
    passed = models.BooleanField()
    overall = models.FloatField()
    anchors = models.FloatField()
    tasks = models.FloatField()
    state = models.FloatField()
    coverage = models.FloatField()
    repairs = models.PositiveSmallIntegerField(default=0)
    issues = models.PositiveIntegerField(default=0)
    critical = models.PositiveIntegerField(default=0)
    probes_asked = models.PositiveIntegerField(default=0)
    probes_answered = models.PositiveIntegerField(default=0)
    probes = models.JSONField(default=dict)

    class Meta:
        indexes = [
            # Averages of a team over a time.
            models.Index(fields=["team", "-created_at"], name="fidelity_check_team"),
            # What is too old to be kept.
            models.Index(fields=["created_at"], name="fidelity_check_age"),
        ]

    def __str__(self) -> str:
        return f"{self.overall:.2f} at version {self.version}"
