"""Which commit was checked out at which place of a conversation."""

import re
from typing import TYPE_CHECKING

from django.db import models

from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation

if TYPE_CHECKING:
    from collections.abc import Sequence


_HASH = re.compile(r"[0-9a-f]{7,64}")


class CheckedOutCommitQuerySet(models.QuerySet["CheckedOutCommit"]):
    def visible_to(self, team: Team) -> "CheckedOutCommitQuerySet":
        return self.filter(team=team)

    def of(self, commits: "Sequence[str]") -> "CheckedOutCommitQuerySet":
        return self.filter(commit__in=commits)

    def named(self, words: str) -> "CheckedOutCommitQuerySet":
        """Commits whose hash begins with these words; none where they are no hash of 7 digits or more. A range, so that the index serves it
        whatever the database sorts by."""
        named = words.strip().lower()
        return self.filter(commit__gte=named, commit__lt=f"{named}g") if _HASH.fullmatch(named) else self.none()


class CheckedOutCommit(StoredModel):
    """HEAD of the session's folder, as the client saw it when it had read message `seq`: a row where it is another commit than before.

    So the commit of a turn's start or end is that of the last row up to there, and a row whose `before` is another commit tells that
    `commit` came between that row's message and this one's: it was made there, or checked out.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="commits", db_index=False)
    seq = models.PositiveIntegerField()
    commit = models.CharField(max_length=64)
    before = models.CharField(max_length=64, blank=True)
    after_seq = models.PositiveIntegerField(default=0)

    objects = CheckedOutCommitQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conversation", "seq"], name="checked_out_once")]
        # `continuity why`: who had this commit first.
        indexes = [models.Index(fields=["team", "commit"], name="checked_out_commit")]

    def __str__(self) -> str:
        return f"{self.commit[:12]} at {self.seq}"
