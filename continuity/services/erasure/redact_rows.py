"""Blacking words out of stored rows: of every table that tells of a conversation.

The tables are found by what refers to a conversation, so that a new one is never forgotten. The caller holds the transaction
and the conversations' locks.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Cast

from continuity.core.redaction import Redaction, walk
from continuity.models import Conversation, Erasure, Event, IdempotentReply, Job, Message, Team
from continuity.services.erasure import merging, redact_messages
from continuity.services.events import relay

APPS = ("continuity", "handoffs")
# Columns of short text that only we fill: keys, digests, names of rules and events. All other text may hold words.
OURS = frozenset((
    "key", "superseded_by", "method", "rules_version", "kind", "directive_digest", "reference", "name", "correlation_id", "reader",
    "reported_usage_id", "place", "digest", "fingerprint", "changed", "head", "lessons", "mode", "profile", "wanted", "blob",
))  # fmt: skip
BATCH = 500


def in_copies(redaction: Redaction, *, conversations: Sequence[UUID], subjects: Sequence[UUID]) -> Counter[str]:
    """Blacks the words, their sentences and long runs of them out of all that was made from messages. Counts rows by table."""
    changed: Counter[str] = Counter()
    for model, path in _tables():
        changed.update(_in_rows(model.objects.filter(**{f"{path}__in": conversations}), redaction))
    changed["message"] += redact_messages.in_labels(redaction, conversations=conversations)
    events = Event.objects.filter(subject_id__in=[*conversations, *subjects])
    relay.hold(events)
    changed.update(_in_rows(events, redaction))
    return changed


def of_team(redaction: Redaction, *, team: Team) -> Counter[str]:
    """Blacks the words out of jobs that came to no conversation, such as uploads that could not be read: their names and errors."""
    return _in_rows(Job.objects.filter(team=team, conversation=None), redaction)


def empty_log(*, conversations: Sequence[UUID], holding: Callable[[str], bool] = lambda text: True) -> None:
    """Forgets how the admin's log named the rows of these conversations, where it is `holding` words; who changed what and when stays.

    Before any of the rows is deleted: by their ids the entries are found.
    """
    found: list[LogEntry] = []
    tables = [*_tables(), (Message, "conversation")]
    kinds = ContentType.objects.get_for_models(*(model for model, _ in tables))
    for model, path in tables:
        ids = model.objects.filter(**{f"{path}__in": conversations}).annotate(told=Cast("pk", models.TextField())).values("told")
        found += LogEntry.objects.filter(content_type=kinds[model], object_id__in=ids)
    gone = [entry.pk for entry in found if holding(f"{entry.object_repr}\n{entry.change_message}")]
    LogEntry.objects.filter(pk__in=gone).update(object_repr="", change_message="")


def _tables() -> Iterator[tuple[Any, str]]:
    """Every model that tells of a conversation, directly or through one that does, with the path to it."""
    yield Conversation, "id"
    ours = [model for app in APPS for model in apps.get_app_config(app).get_models() if model not in (Conversation, Message, Erasure)]
    direct = [model for model in ours if "conversation" in _references(model)]
    for model in direct:
        yield model, "conversation"
    for model in ours:
        through = [name for name, parent in _references(model).items() if parent in direct]
        if model not in direct and through:
            yield model, f"{through[0]}__conversation"


def _references(model: Any) -> dict[str, Any]:
    return {field.name: field.related_model for field in model._meta.concrete_fields if isinstance(field, models.ForeignKey)}


def _in_rows(rows: Any, redaction: Redaction) -> Counter[str]:
    model = rows.model
    names = [field.attname for field in model._meta.concrete_fields if _holds_words(field)]
    changed: Counter[str] = Counter()
    if not names:
        return changed
    for row in rows.values("pk", *names).iterator(chunk_size=BATCH):
        new = {name: value for name in names if (value := walk(row[name], redaction.in_copies)) is not row[name] and value != row[name]}
        if new:
            merging.change(model, row["pk"], new)
            changed[model._meta.model_name] += 1
    return changed


def _holds_words(field: Any) -> bool:
    if isinstance(field, models.CharField):
        return not field.choices and field.name not in OURS
    return isinstance(field, models.TextField | models.JSONField | ArrayField)


def in_replies(
    *, team: Team, mentioning: Sequence[UUID], told: Mapping[str, Any], holding: Callable[[str], bool] = lambda body: True
) -> int:
    """Puts `told` with its `status` in the place of answers kept for repeated requests about one of these ids, those `holding` words.

    The rows stay, so that a request which is sent again is still not done again.
    """
    about = Q(pk=None)
    for each in mentioning:
        about |= Q(words__contains=str(each)) | Q(path__contains=str(each))
    rows = IdempotentReply.objects.filter(team=team).annotate(words=Cast("body", models.TextField())).filter(about)
    changed = 0
    for reply in rows:
        if holding(str(reply.body)):
            IdempotentReply.objects.filter(id=reply.id).update(status=told["status"], body=told["body"])
            changed += 1
    return changed
