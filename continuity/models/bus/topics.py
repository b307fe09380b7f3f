"""Topics that somebody declared, and the payloads of what was published."""

from django.db import models

from continuity.models.accounts.teams import Team
from continuity.models.base import StoredModel
from continuity.models.conversations import Conversation
from continuity.models.events import Event


class Topic(StoredModel):
    """What a team says of one topic: how payloads look (`schema`, None for anything), and whether its events are always critical.

    A topic needs no row to be published to.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=200)
    schema = models.JSONField(null=True)
    critical = models.BooleanField(default=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "name"], name="topic_once")]

    def __str__(self) -> str:
        return self.name


class PublishedPayload(models.Model):
    """What a publisher said with an event. It may hold words, and so stands beside the event: whoever lists events or follows the live
    stream never reads it. Secrets were masked before it was stored.

    `conversation` is the one that it was said in, with which it is erased. The row goes with its event, or before it where somebody
    erases it.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="published")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="+", null=True)
    body = models.JSONField()

    def __str__(self) -> str:
        return f"payload of {self.event_id}"
