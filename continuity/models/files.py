"""The files that a conversation touched."""

from typing import ClassVar

from django.db import models

from continuity.distill import model as distill
from continuity.models.base import Row
from continuity.models.conversations import Conversation
from continuity.models.teams import Team


class FileTouchQuerySet(models.QuerySet["FileTouch"]):
    def visible_to(self, team: Team) -> "FileTouchQuerySet":
        return self.filter(team=team)


class FileTouch(Row):
    """A `distill.model.FileTouch` as a row: one for each path, action and epoch, so that a re-fold can drop the later epochs."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="files")
    path = models.TextField()
    action = models.CharField(max_length=10, choices=[(action.value, action.value) for action in distill.FileAction])
    epoch = models.PositiveIntegerField(default=0)
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()
    count = models.PositiveIntegerField(default=1)
    note = models.TextField(blank=True)

    objects: ClassVar[FileTouchQuerySet] = FileTouchQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name_plural = "file touches"
        constraints = [models.UniqueConstraint(fields=["conversation", "path", "action", "epoch"], name="file_touch_once")]
        indexes = [
            # Preparing reads the latest changes first.
            models.Index(fields=["conversation", "-last_seq"], condition=~models.Q(action="read"), name="file_touch_changes"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.path}"

    def as_distilled(self) -> distill.FileTouch:
        return distill.FileTouch(
            path=self.path,
            action=distill.FileAction(self.action),
            seq=self.first_seq,
            last_seq=self.last_seq,
            epoch=self.epoch,
            count=self.count,
            note=self.note,
        )
