"""The files that a conversation touched."""

from django.db import models

from continuity.knowledge import columns
from continuity.knowledge import model as distill
from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation


class FileTouchQuerySet(models.QuerySet["FileTouch"]):
    def visible_to(self, team: Team) -> "FileTouchQuerySet":
        return self.filter(team=team)

    def as_distilled(self) -> list[distill.FileTouch]:
        """The rows in the form that packages are assembled from, read without making model instances. One query."""
        return [columns.touch(*row) for row in self.values_list(*columns.TOUCH)]


class FileTouch(StoredModel):
    """A `distill.model.FileTouch` as a row: one for each path, action and epoch, so that a re-fold can drop the later epochs.

    What a predecessor did has places before the beginning, 0 and less: a heir's files keep their order.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="files", db_index=False)
    path = models.TextField()
    action = models.CharField(max_length=10, choices=[(action.value, action.value) for action in distill.FileAction])
    epoch = models.PositiveIntegerField(default=0)
    first_seq = models.IntegerField()
    last_seq = models.IntegerField()
    count = models.PositiveIntegerField(default=1)
    note = models.TextField(blank=True)
    symbols = models.JSONField(default=list, blank=True)

    objects = FileTouchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "file touches"
        constraints = [models.UniqueConstraint(fields=["conversation", "path", "action", "epoch"], name="file_touch_once")]
        indexes = [
            # Preparing reads the latest changes first.
            models.Index(fields=["conversation", "-last_seq"], condition=~models.Q(action="read"), name="file_touch_changes"),
            models.Index(fields=["conversation", "-last_seq"], condition=models.Q(action="read"), name="file_touch_reads"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.path}"
