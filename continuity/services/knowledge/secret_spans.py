"""Searching messages again where detectors have learned since they were stored."""

from uuid import UUID

from django.db import connection
from django.utils import timezone

from continuity import secrets
from continuity.core.transactions import atomic
from continuity.models import Conversation, Message
from continuity.secrets import message_masking
from continuity.services.jobs import deferrals

KIND = "find_secrets"  # of work that is put off where it fails
BATCH = 200


def sweep(*, limit: int) -> int:
    """Searches the messages of conversations that older detectors searched: a batch job. Returns how many conversations it did.

    One that fails is told of and put off, and keeps no other waiting.
    """
    older = Conversation.objects.filter(secrets_version__lt=secrets.VERSION)
    waiting = deferrals.without_waiting(older, KIND, timezone.now()).order_by("-secrets_version", "-active_at")
    ids = list(waiting.values_list("id", flat=True)[:limit])

    def search(conversation_id: UUID) -> None:
        find_again(conversation_id=conversation_id)

    return deferrals.each(kind=KIND, ids=ids, work=search)


def find_again(*, conversation_id: UUID) -> int:
    """Stores the secrets that today's detectors find in the messages of a conversation; what a person unmasked stays so.

    A batch of messages is one transaction, and a killed one is begun again. Words to search by follow by themselves for messages; those
    of anchors are emptied where a message changed. Returns how many messages changed.
    """
    changed, after = 0, 0
    while True:
        found = _batch(conversation_id, after)
        if found is None:
            break
        after, more = found
        changed += more
    _complete(conversation_id, changed)
    return changed


@atomic
def _complete(conversation_id: UUID, changed: int) -> None:
    """The conversation's row first (docs/adr/0013-lock-order.md): whoever erases holds it and then empties anchors too."""
    Conversation.objects.filter(id=conversation_id).update(secrets_version=secrets.VERSION)
    if changed:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE continuity_anchor SET words = NULL WHERE conversation_id = %s", [conversation_id])


@atomic
def _batch(conversation_id: UUID, after: int) -> tuple[int, int] | None:
    """The last message looked at and how many of the batch changed; None where there is no message left."""
    rows = Message.objects.select_for_update(of=("self",)).filter(conversation=conversation_id, seq__gt=after).order_by("seq")
    messages = list(rows.only("seq", "parts", "secrets")[:BATCH])
    if not messages:
        return None
    changed = []
    for message in messages:
        spans = message_masking.keep_unmasked(message.secrets, message_masking.spans_of(message.parts))
        if spans != message.secrets:
            message.secrets = spans
            changed.append(message)
    Message.objects.bulk_update(changed, ["secrets"])
    return messages[-1].seq, len(changed)
