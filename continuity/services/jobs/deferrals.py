"""Doing the same work on each of many rows, so that one that fails, hangs or is locked costs the others nothing.

What failed is put off with growing pauses, which are kept in the database: the next sweep takes other rows instead of the same
ones for ever, in whichever process it runs.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.db import DatabaseError, InterfaceError, OperationalError, connection, models, transaction
from django.db.models import QuerySet
from django.utils import timezone

from continuity.core.isolation import name_of
from continuity.models import Conversation, Deferral, Team
from continuity.models.deferrals import LONGEST_PAUSE
from continuity.services.events import events
from continuity.services.jobs import lock_waits

logger = logging.getLogger("continuity.background")

SHORTEST_PAUSE = timedelta(seconds=10)
ALERT_AFTER = 5
# A row that somebody else holds is left for later after this.
LOCK_WAIT = timedelta(seconds=1)
# What was put off and not tried for so long belongs to rows that are gone, or to work that is not done any more.
FORGOTTEN_AFTER = timedelta(days=7)

# One statement: whoever inserts the row or moves its time may do the work, and nobody else until then.
# Its commit need not reach the disk: a crash of the database that takes the note costs one more attempt.
_CLAIM = """
WITH unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO continuity_deferral (id, created_at, kind, subject_id, attempts, not_before, error)
SELECT %(id)s, %(now)s, %(kind)s, %(subject)s, 1, %(until)s, '' FROM unhurried
ON CONFLICT (kind, subject_id) DO UPDATE
SET attempts = continuity_deferral.attempts + 1,
    not_before = %(now)s + least(%(longest)s, %(shortest)s * (2 ^ least(continuity_deferral.attempts, 20)))
WHERE continuity_deferral.not_before <= %(now)s OR continuity_deferral.not_before > %(now)s + %(longest)s
RETURNING attempts
"""
_CLEAR = "DELETE FROM continuity_deferral WHERE kind = %s AND subject_id = %s RETURNING alerted_at, attempts, conversation_id, team_id"


def pause_after(attempts: int) -> timedelta:
    """How long to wait after that many attempts: 10, 20, 40 … seconds, an hour at most."""
    grown: int = 2 ** min(max(attempts, 1) - 1, 20)
    return min(LONGEST_PAUSE, SHORTEST_PAUSE * grown)


def each(
    *,
    kind: str,
    ids: Iterable[UUID],
    work: Callable[[UUID], object],
    of: type[models.Model] = Conversation,
    claim: bool = True,
) -> int:
    """Does `work` with each of the `ids`, which are rows `of` a model. Returns with how many; where it gives False, it had nothing to do.

    What fails is logged, told of as `work.deferred` and put off; what is put off is passed over. Where the rows are claimed, each
    attempt is noted before it begins: one that hangs or ends the process counts too, and no other process begins the same. Raises
    only where the database itself is away (OperationalError, InterfaceError).
    """
    wanted = list(ids)
    now = timezone.now()
    known = {} if claim else dict(Deferral.objects.filter(kind=kind, subject_id__in=wanted).values_list("subject_id", "not_before"))
    done = 0
    with lock_waits.at_most(LOCK_WAIT):
        for subject_id in wanted:
            if claim:
                attempts = _claim(kind, subject_id, timezone.now())
                if not attempts:
                    continue
                if attempts > ALERT_AFTER:
                    # Attempts that ended their process told nobody.
                    _report(kind, subject_id, partial(_alert, kind, subject_id, of))
            elif subject_id in known and now < known[subject_id] <= now + LONGEST_PAUSE:
                continue
            done += _attempt(kind, subject_id, work, of, claimed=claim, known=claim or subject_id in known)
    return done


def one(*, kind: str, subject_id: UUID, work: Callable[[UUID], object], of: type[models.Model] = Conversation) -> bool:
    """Does `work` with one row, unless it is put off. Whether it succeeded. Nothing is written where it does and did before."""
    return each(kind=kind, ids=[subject_id], work=work, of=of, claim=False) == 1


def without_waiting(rows: "QuerySet[Any]", kind: str, now: datetime) -> "QuerySet[Any]":
    """The rows on which work of this kind is not put off: a sweep that takes the first few of them never starves the rest."""
    return rows.exclude(id__in=Deferral.objects.not_yet_due(kind, now))


def failed(*, kind: str, subject_id: UUID, error: BaseException, of: type[models.Model] = Conversation, claimed: bool = False) -> None:
    """Puts work on a row off after `error`, and tells of it; never raises but where the database is away. To be called while the error
    is handled. `claimed` says that the attempt was counted already."""
    told = {"kind": kind, "subject_id": str(subject_id), "error": name_of(error)}
    logger.exception("%s of %s failed; it is tried again later", kind, subject_id, extra={"metadata": told})

    def tell() -> None:
        with transaction.atomic():
            _put_off(kind, subject_id, of, name_of(error), claimed)
        _alert(kind, subject_id, of)

    _report(kind, subject_id, tell)


def hurry(*, chosen: "QuerySet[Deferral]", now: datetime) -> int:
    """Lets the chosen work be tried with the next sweep. Returns how many."""
    return chosen.filter(not_before__gt=now).update(not_before=now)


def forget(*, now: datetime) -> int:
    """Forgets what nobody tries any more. Returns how many."""
    return Deferral.objects.filter(not_before__lt=now - FORGOTTEN_AFTER).delete()[0]


def _report(kind: str, subject_id: UUID, telling: Callable[[], None]) -> None:
    """Reports a failure; where that fails too, the log says so. Raises only where the database is away."""
    try:
        telling()
    except (DatabaseError, InterfaceError):
        if lock_waits.is_lost():
            raise
        logger.exception("It could not be noted that %s of %s failed", kind, subject_id)


def _claim(kind: str, subject_id: UUID, now: datetime) -> int:
    """Claim the work, and return the number of the attempt; 0 where the work must wait, or somebody holds its note. Raises
    OperationalError where the database is away."""
    values: dict[str, Any] = {
        "id": uuid4(),
        "now": now,
        "kind": kind,
        "subject": subject_id,
        "until": now + SHORTEST_PAUSE,
        "longest": LONGEST_PAUSE,
        "shortest": SHORTEST_PAUSE,
    }
    try:
        with _step(), connection.cursor() as cursor:
            cursor.execute(_CLAIM, values)
            row = cursor.fetchone()
    except OperationalError:
        if lock_waits.is_lost():
            raise
        logger.warning("%s of %s is left for later: what is noted of it is held", kind, subject_id)
        return 0
    return row[0] if row else 0


def _step() -> AbstractContextManager[object]:
    """In a caller's transaction a savepoint, since a failed statement must not end that."""
    return transaction.atomic() if connection.in_atomic_block else nullcontext()


def _attempt(kind: str, subject_id: UUID, work: Callable[[UUID], object], of: type[models.Model], *, claimed: bool, known: bool) -> bool:
    try:
        with _step():
            did = work(subject_id) is not False
        if known:
            _clear(kind, subject_id)
    except Exception as error:
        if lock_waits.is_lost() and isinstance(error, (OperationalError, InterfaceError)):
            raise
        failed(kind=kind, subject_id=subject_id, error=error, of=of, claimed=claimed)
        return False
    return did


def _put_off(kind: str, subject_id: UUID, of: type[models.Model], error: str, claimed: bool) -> None:
    now = timezone.now()
    of_row = Deferral.objects.filter(kind=kind, subject_id=subject_id)
    known = of_row.select_for_update().first()
    attempts = (known.attempts if known else 0) + (0 if claimed and known else 1)
    conversation_id, team_id = _place(subject_id, of)
    values = {"attempts": attempts, "not_before": now + pause_after(attempts), "error": error, "failed_at": now}
    values |= {"conversation_id": conversation_id, "team_id": team_id}
    Deferral.objects.update_or_create(kind=kind, subject_id=subject_id, defaults=values)
    payload = {"kind": kind, "attempts": attempts, "error": error, **_named(conversation_id)}
    _publish("work.deferred", team_id, subject_id, payload)


def _alert(kind: str, subject_id: UUID, of: type[models.Model]) -> None:
    """Tells operators once of work that does not succeed."""
    with transaction.atomic():
        of_row = Deferral.objects.filter(kind=kind, subject_id=subject_id, attempts__gte=ALERT_AFTER, alerted_at=None)
        found = of_row.select_for_update(skip_locked=True).first()
        if found is None:
            return
        if found.team_id is None:
            found.conversation_id, found.team_id = _place(subject_id, of)
        found.alerted_at = timezone.now()
        found.save(update_fields=["conversation", "team", "alerted_at"])
        payload = {"kind": kind, "attempts": found.attempts, "error": found.error or "it did not end", **_named(found.conversation_id)}
        _publish("work.failing", found.team_id, subject_id, payload, critical=True)
        logger.error("%s of %s failed %d times", kind, subject_id, found.attempts, extra={"metadata": payload})


@transaction.atomic
def _clear(kind: str, subject_id: UUID) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_CLEAR, [kind, subject_id])
        found = cursor.fetchall()
    for alerted_at, attempts, conversation_id, team_id in found:
        if alerted_at is not None:
            payload = {"kind": kind, "attempts": attempts, **_named(conversation_id)}
            _publish("work.recovered", team_id, subject_id, payload)


def _place(subject_id: UUID, of: type[models.Model]) -> tuple[UUID | None, UUID | None]:
    """The conversation and the team of a row, as far as it has them."""
    names = {field.attname for field in of._meta.concrete_fields}
    own = "id" if of is Conversation else "conversation_id"
    wanted: Sequence[str] = [name for name in (own, "team_id") if name in names]
    found = of._default_manager.filter(pk=subject_id).values(*wanted).first() or {}
    return found.get(own), found.get("team_id")


def _named(conversation_id: UUID | None) -> dict[str, str]:
    return {"conversation_id": str(conversation_id)} if conversation_id else {}


def _publish(name: str, team_id: UUID | None, subject_id: UUID, payload: dict[str, Any], critical: bool = False) -> None:
    team = Team.objects.filter(id=team_id).first() if team_id else None
    events.publish(name=name, team=team, subject_id=subject_id, payload=payload, critical=critical)
