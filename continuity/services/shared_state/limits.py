"""Limits of a value before it is stored: sanitised, masked, bounded; and of the room for its versions and a whole scope."""

from itertools import chain
from typing import Any

from django.conf import settings
from django.db.models import BooleanField, ExpressionWrapper, F, Q, Sum

from continuity import secrets
from continuity.core.errors import Invalid, TooLarge, TooMany
from continuity.core.stored_json import as_stored
from continuity.models import StateEntry, StateVersion
from continuity.secrets import message_masking
from continuity.shared_state import history, names, values
from continuity.shared_state.values import ABSENT, BadValue, ValueTooLarge
from continuity.transcripts.base.sanitise import clean_json

# Shorter texts are no secrets that anybody finds.
SHORTEST_SECRET = 12


def checked_key(key: str) -> str:
    """Raises Invalid."""
    if not names.is_key(key):
        raise Invalid(
            "The key of a state has 1 to 120 letters, digits, dots, colons, dashes and underscores, and begins with a letter or a digit.",
            field="key",
        )
    return key


def cleaned(value: Any) -> Any:
    """A value, or a patch, as it may be stored, secrets masked. Raises Invalid and TooLarge."""
    checked_size(value)
    clean = as_stored(clean_json(value))
    _no_secret_keys(clean)
    masked: list[Any] = message_masking.masked([clean], message_masking.spans_of([clean]))
    return masked[0]


def checked_size(value: Any) -> int:
    """The size in bytes; 0 for what is not there. Raises Invalid and TooLarge."""
    if value is ABSENT:
        return 0
    try:
        return values.check(value, limit=settings.STATE_MAX_VALUE_BYTES)
    except ValueTooLarge as error:
        raise TooLarge(noun="The value", size=f"{error.size:,} bytes", limit=f"{error.limit:,} bytes") from error
    except BadValue as error:
        raise Invalid(f"{error}.", field=error.place) from error


def room_for_key(entry: StateEntry) -> None:
    """For a state that is made now. Raises TooMany."""
    if _of_scope(entry).count() >= settings.STATE_MAX_KEYS:
        raise TooMany(limit=settings.STATE_MAX_KEYS, noun=f"states of one {entry.scope}", retry_after=3600)


def trim(entry: StateEntry) -> None:
    """Lets old versions go where there are more, or larger ones, than may be; changes the row's columns, which the caller saves."""
    if entry.version - entry.oldest + 1 > settings.STATE_MAX_VERSIONS or entry.history_size > _history_bytes():
        _keep(entry, most=settings.STATE_MAX_VERSIONS, most_bytes=_history_bytes())


def room_in_scope(entry: StateEntry) -> None:
    """For a state that has grown, its row saved: where the scope is full, versions that nobody needs go, its own first and then those of
    others that have most of them. Raises TooLarge."""
    excess = _taken(entry) - settings.STATE_MAX_SCOPE_BYTES
    if excess <= 0:
        return
    # Rows that somebody else holds are passed over: nobody waits here for who waits for him.
    others = _of_scope(entry).exclude(id=entry.id).select_for_update(skip_locked=True, of=("self",)).order_by("-history_size", "id")
    for row in chain([entry], others.filter(version__gt=F("oldest")).iterator(chunk_size=20)):
        before = row.history_size
        _keep(row, most=1, most_bytes=0)
        row.save(update_fields=["oldest", "history_size"])
        excess -= before - row.history_size
        if excess <= 0:
            return
    limit = f"{settings.STATE_MAX_SCOPE_BYTES:,} bytes"
    taken = f"{settings.STATE_MAX_SCOPE_BYTES + excess:,} bytes"
    raise TooLarge(noun=f"All the state of one {entry.scope} together", size=taken, limit=limit)


def _history_bytes() -> int:
    """The bytes that the versions of one state may take."""
    return max(settings.STATE_MAX_SCOPE_BYTES // 10, 2 * settings.STATE_MAX_VALUE_BYTES)


def _keep(entry: StateEntry, *, most: int, most_bytes: int) -> None:
    begins = ExpressionWrapper(Q(snapshot__isnull=False), output_field=BooleanField())
    rows = StateVersion.objects.filter(entry=entry).order_by("number").annotate(begins=begins)
    sizes = list(rows.values_list("number", "size", "begins"))
    first = history.to_drop(sizes, most=most, most_bytes=most_bytes, needed=entry.shown)
    if first > entry.oldest:
        StateVersion.objects.filter(entry=entry, number__lt=first).delete()
        entry.oldest = first
        entry.history_size = sum(size for number, size, _ in sizes if number >= first)


def _taken(entry: StateEntry) -> int:
    return _of_scope(entry).aggregate(taken=Sum(F("size") + F("history_size")))["taken"] or 0


def _of_scope(entry: StateEntry) -> Any:
    return StateEntry.objects.filter(team=entry.team_id, scope=entry.scope, owner_id=entry.owner_id, version__gt=0)


def _no_secret_keys(value: Any) -> None:
    """A key can't be masked without its value losing its place. Raises Invalid."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if len(key) >= SHORTEST_SECRET and secrets.find(key):
                raise Invalid("A key in the value looks like a secret: write secrets nowhere, or at least as values.", field="value")
            _no_secret_keys(inner)
    elif isinstance(value, list):
        for inner in value:
            _no_secret_keys(inner)
