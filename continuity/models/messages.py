"""The messages of a conversation, as they were received."""

from django.db import models

from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation
from continuity.transcripts.base import model as transcript


class Message(StoredModel):
    """One message. `parts` is a list of `transcripts.model.Part` as JSON; `secrets` marks spans in it to be masked.

    A span is `{part, path, start, end, kind}`: index of the part, keys down to the string, half-open characters. An
    appended message's id follows from its conversation and external id. Foreign keys have no index of their own, since the
    constraints begin with the conversation.
    """

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="messages", db_index=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    seq = models.PositiveIntegerField()
    external_id = models.CharField(max_length=200)
    role = models.CharField(max_length=10, choices=[(role.value, role.value) for role in transcript.Role])
    parts = models.JSONField()
    tokens = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(null=True)
    model = models.CharField(max_length=120, blank=True)
    usage = models.JSONField(null=True)
    usage_id = models.CharField(max_length=200, blank=True)
    agent = models.CharField(max_length=200, blank=True)
    cwd = models.TextField(blank=True)
    branch = models.TextField(blank=True)
    device = models.CharField(max_length=120, blank=True)
    line = models.PositiveIntegerField(default=0)
    secrets = models.JSONField(default=list)
    abandoned = models.BooleanField(default=False)
    # Holds the place of a message that could not be stored yet; the default is the database's for writers of an older release.
    placeholder = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ["seq"]
        constraints = [
            models.UniqueConstraint(fields=["conversation", "seq"], name="message_seq_once"),
            # Appending is idempotent by the source's own id.
            models.UniqueConstraint(fields=["conversation", "external_id"], name="message_external_once"),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.seq}"

    def as_transcript(self) -> transcript.Message:
        """The message in the form that distilling reads."""
        return transcript.Message(
            role=transcript.Role(self.role),
            parts=tuple(transcript.Part.from_json(part) for part in self.parts),
            external_id=self.external_id,
            line=self.line,
            at=self.at,
            model=self.model,
            usage_id=self.usage_id,
            usage=transcript.Usage(**self.usage) if self.usage else None,
            cwd=self.cwd,
            branch=self.branch,
            agent=self.agent,
        )
