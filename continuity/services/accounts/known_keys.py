"""Keys that this process knows: each was checked once with all care, and is only asked after since, in one small query."""

from datetime import datetime
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Any

from django.db import connection

from continuity.accounts import roles
from continuity.core.errors import KeyRefused
from continuity.models import ApiKey
from continuity.services.accounts import apikeys

MOST = 1000
# Above this in a second a key's calls are counted where all others are.
A_SECOND = 100
# Whether all that was looked at is as it was (migration 0056). `last_used_at` is written once a minute, where the key is checked with all
# care.
_STILL = "SELECT 1 WHERE continuity_key_holds(%s, %s, %s, %s, %s)"


class KnownKeys:
    """Keys that have a permission. For any thread."""

    def __init__(self, permission: str) -> None:
        self._permission = permission
        self._known: dict[bytes, ApiKey] = {}
        self._counted: dict[bytes, int] = {}
        self._second = 0
        self._lock = Lock()

    def key_of(self, authorization: str, *, now: datetime) -> ApiKey | None:
        """The key of `Bearer <key>`, with its team; None where it has to be looked at elsewhere: refused, without
        the permission, or too often here."""
        full, digest = _parse_key(authorization)
        if not full or not self._counts(digest):
            return None
        key = self._known.get(digest)
        if key is None or not holds(key, now):
            with self._lock:
                self._known.pop(digest, None)
            key = self._checked(full, now)
        if key is None:
            return None
        with self._lock:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[digest] = key
        return key

    def presumed(self, authorization: str) -> ApiKey | None:
        """One that was good when it was looked at last: whoever goes by it asks in its own statement whether it still is (`still`)."""
        full, digest = _parse_key(authorization)
        return self._known.get(digest) if full and self._counts(digest) else None

    def _checked(self, full: str, now: datetime) -> ApiKey | None:
        try:
            key = apikeys.authenticate(full, now=now)
        except KeyRefused:
            return None
        of_maker = roles.permissions(key.maker_role) if key.maker_role is not None else key.scopes
        return key if self._permission in key.scopes and self._permission in of_maker else None

    def _counts(self, digest: bytes) -> bool:
        with self._lock:
            if (second := int(monotonic())) != self._second:
                self._second, self._counted = second, {}
            self._counted[digest] = self._counted.get(digest, 0) + 1
            return self._counted[digest] <= A_SECOND


def still(key: ApiKey, now: datetime) -> tuple[str, list[Any]]:
    """A statement that gives a row where the key is as it was when it was looked at with care; and what it asks with."""
    return _STILL, [key.id, now, key.digest, list(key.scopes), key.maker_role]


def holds(key: ApiKey, now: datetime) -> bool:
    """Whether the key is as it was when it was looked at with care. One query."""
    with connection.cursor() as cursor:
        cursor.execute(*still(key, now))
        return cursor.fetchone() is not None


def _parse_key(authorization: str) -> tuple[str, bytes]:
    """The key of `Bearer <key>`, empty where it is none, and under what it is known."""
    scheme, _, text = authorization.partition(" ")
    full = text.strip() if scheme.lower() == "bearer" else ""
    return full, sha256(full.encode()).digest()
