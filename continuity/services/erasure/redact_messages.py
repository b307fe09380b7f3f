"""Blacking words out of messages, and of what stands beside them. The caller holds the transaction and the conversations' locks."""

from collections.abc import Callable, Sequence
from uuid import UUID

from django.db import models
from django.db.models import Q
from django.db.models.functions import Cast

from continuity.core.redaction import Redaction, redact, walk
from continuity.models import Message
from continuity.secrets import message_masking
from continuity.services.erasure import merging

LABELS = ("external_id", "agent", "cwd", "branch", "device", "model")  # of a message, beside its parts
BATCH = 500


def in_messages(redaction: Redaction, *, conversations: Sequence[UUID]) -> dict[UUID, int]:
    """Blacks the words out wherever they stand. Gives the first message changed of each conversation."""
    holding = Q()
    for form in redaction.stored_forms:
        holding |= Q(words__contains=form)
    rows = Message.objects.filter(conversation__in=conversations).annotate(words=Cast("parts", models.TextField())).filter(holding)
    return _change_messages(rows, lambda text: redaction.exact(text))


def in_labels(redaction: Redaction, *, conversations: Sequence[UUID]) -> int:
    """Blacks the words out of what stands beside the messages: ids that a caller chose, folders, branches, names. Returns how many."""
    holding = Q()
    for name in LABELS:
        for form in redaction.fragments:
            holding |= Q(**{f"{name}__contains": form})
    changed = 0
    for row in Message.objects.filter(holding, conversation__in=conversations).values("pk", *LABELS).iterator(chunk_size=BATCH):
        new = {name: value for name in LABELS if (value := redaction.in_copies(row[name])) != row[name]}
        if new:
            merging.change(Message, row["pk"], new)
            changed += 1
    return changed


def in_stretches(opening: str, closing: str, change: Callable[[str], str], *, conversations: Sequence[UUID]) -> dict[UUID, int]:
    """Changes what messages hold between two marks: what we told a session ourselves. Gives the first one changed of each conversation."""
    rows = Message.objects.filter(conversation__in=conversations).annotate(words=Cast("parts", models.TextField()))
    return _change_messages(rows.filter(words__contains=opening), lambda text: _between(text, opening, closing, change))


def _between(text: str, opening: str, closing: str, change: Callable[[str], str]) -> str:
    pieces, position = [], 0
    while (begin := text.find(opening, position)) >= 0:
        begin += len(opening)
        end = text.find(closing, begin)
        end = len(text) if end < 0 else end
        pieces += [text[position:begin], change(text[begin:end])]
        position = end
    return "".join([*pieces, text[position:]])


def at_place(message: Message, *, part: int, start: int, end: int) -> None:
    """Blacks out one span of the text of one part."""
    text = message.parts[part]["text"]
    message.parts[part] = {**message.parts[part], "text": text[:start] + redact(text[start:end]) + text[end:]}
    _store([message])


def _change_messages(rows: "models.QuerySet[Message]", change: Callable[[str], str]) -> dict[UUID, int]:
    first: dict[UUID, int] = {}
    changed = []
    for message in rows.order_by("seq").iterator(chunk_size=BATCH):
        parts = walk(message.parts, change)
        if parts is message.parts:
            continue
        message.parts = parts
        first.setdefault(message.conversation_id, message.seq)
        changed.append(message)
        if len(changed) == BATCH:
            _store(changed)
            changed = []
    _store(changed)
    return first


def _store(messages: Sequence[Message]) -> None:
    for message in messages:
        message.secrets = message_masking.keep_unmasked(message.secrets, message_masking.spans_of(message.parts))
    Message.objects.bulk_update(messages, ["parts", "secrets"], batch_size=BATCH)
