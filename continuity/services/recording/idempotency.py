"""Doing a request once, however often it is sent: the answer is stored in the transaction that does the work."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from continuity.core.errors import Invalid
from continuity.core.transactions import atomic
from continuity.models import IdempotentReply, Team


@dataclass(frozen=True, slots=True)
class StoredReply:
    """An answer: its HTTP status, its body as it is sent, and whether it was given before."""

    status: int
    body: str
    replayed: bool = False


@atomic
def once(*, team: Team, key: str, digest: str, work: Callable[[], StoredReply], path: str = "") -> StoredReply:
    """The reply of `work`, or the one that it gave when this `key` first came with a request of this `digest` (SHA-256, hex).

    The row is written first and commits together with the work: of two at the same moment the second waits at the
    unique row for the first; work that raises or whose process dies leaves neither, and may be sent again. Raises
    Invalid where the key came with another request.
    """
    row = _reserve(team, key, digest, path)
    if row is None:
        return _stored(team, key, digest)
    reply = work()
    row.status, row.body = reply.status, reply.body
    row.save(update_fields=["status", "body"])
    return reply


def amend(*, team: Team, key: str, reply: StoredReply) -> None:
    """Replaces the body of an answer by what was told in the end; not where it was taken back meanwhile."""
    IdempotentReply.objects.filter(team=team, key=key, status=reply.status).update(body=reply.body)


def _reserve(team: Team, key: str, digest: str, path: str) -> IdempotentReply | None:
    try:
        with transaction.atomic():
            return IdempotentReply.objects.create(team=team, key=key, request_digest=digest, path=path[:300])
    except IntegrityError:
        return None


def _stored(team: Team, key: str, digest: str) -> StoredReply:
    stored = IdempotentReply.objects.get(team=team, key=key)
    if stored.request_digest != digest:
        raise Invalid("This Idempotency-Key came with another request before; take a new one.", field="Idempotency-Key")
    return StoredReply(stored.status or 200, str(stored.body), replayed=True)
