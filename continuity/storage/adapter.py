"""The interface of storage adapters (FR-022), and what they share: names that are safe, ages, sizes."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from continuity.storage.sealing import Keyring, id_in
from continuity.storage.sessions import (
    BadKey,
    DamagedRecord,
    StorageAdapterConfig,
    StorageAway,
    StorageFull,
    StorageHealth,
    StorageStats,
    StoredSession,
    UnknownStateKey,
)

P = ParamSpec("P")
T = TypeVar("T")

# A name is a file's name, too: no path, nothing hidden, nothing that a shell or a screen reads as more than a name.
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,149}")
LONGEST_KEY = 200


@dataclass(frozen=True, slots=True)
class StoredValue:
    """A value of the generic operations, JSON in UTF-8."""

    key: str
    body: bytes
    saved_at: datetime


@dataclass(frozen=True, slots=True)
class ResealedBodies:
    """How many bodies have another key now, how many are damaged, and which keys of others are missing."""

    changed: int
    damaged: int
    unknown_keys: tuple[str, ...]


class StorageAdapter(ABC):
    """Every method but `health_check` may raise StorageAway."""

    def __init__(self) -> None:
        self.config = StorageAdapterConfig()
        self.keyring = Keyring()

    # Lifecycle --------------------------------------------------------------------------------------------------------
    def initialize(self, config: StorageAdapterConfig | None = None) -> None:
        """Raises StorageRefused where it can't be used like this."""
        self.config = config or StorageAdapterConfig()
        self.keyring = Keyring(self.config.keys)
        self._open()

    @abstractmethod
    def close(self) -> None:
        """Lets go of what it holds; it may be initialised again."""

    @abstractmethod
    def health_check(self) -> StorageHealth:
        """Never raises."""

    # Sessions (FR-001 to FR-005) --------------------------------------------------------------------------------------
    def save_session(self, session: StoredSession) -> None:
        """Stores it in the place of what was there, unless that is of a later epoch: compared and written in one step.

        Raises OlderWriter, BadKey, StorageFull.
        """
        _checked_id(session.id)
        self._check_room(len(session.body))
        body = self.keyring.seal(session.id, session.body)
        self._write_session(replace(session, body=body, saved_at=session.saved_at or datetime.now(UTC)))

    def fence_session(self, session: StoredSession) -> StoredSession:
        """Gives the session as it is stored, and from then on refuses writers of epochs before that of `session`: one step.

        Where nothing is stored, `session` itself is, with no body. Raises OlderWriter and BadKey.
        """
        _checked_id(session.id)
        return self._opened(self._fence(replace(session, body=b"", saved_at=session.saved_at or datetime.now(UTC))))

    def get_session(self, session_id: str) -> StoredSession | None:
        """Raises BadKey, DamagedRecord and UnknownStateKey."""
        _checked_id(session_id)
        found = self._read_session(session_id)
        return None if found is None or self._is_over(found.saved_at) else self._opened(found)

    def delete_session(self, session_id: str) -> bool:
        """Whether there was one. Raises BadKey."""
        _checked_id(session_id)
        return self._remove_session(session_id)

    @abstractmethod
    def list_sessions(self, state: str | None = None, limit: int | None = None, offset: int = 0, *, prefix: str = "") -> list[str]:
        """Their ids in order; `prefix` chooses those whose ids begin with it."""

    # Values (FR-022 to FR-026) ----------------------------------------------------------------------------------------
    def set(self, key: str, value: Any) -> None:
        """Raises BadKey, also where the value is no JSON, and StorageFull."""
        _check_key(key)
        try:
            body = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise BadKey("the value is no JSON") from error
        self._check_room(len(body))
        self._write_value(StoredValue(key, self.keyring.seal(key, body), datetime.now(UTC)))

    def get(self, key: str) -> Any:
        """None where there is none. Raises BadKey, DamagedRecord and UnknownStateKey."""
        _check_key(key)
        found = self._read_value(key)
        if found is None or self._is_over(found.saved_at):
            return None
        try:
            return json.loads(self.keyring.open(key, found.body))
        except (ValueError, RecursionError) as error:
            raise DamagedRecord("the value can't be read") from error

    def delete(self, key: str) -> bool:
        """Whether there was one. Raises BadKey."""
        _check_key(key)
        return self._remove_value(key)

    def clear(self, older_than: float | None = None) -> int:
        """Removes values that are older than so many seconds, or all of them. Returns how many."""
        return self._clear(datetime.now(UTC) - timedelta(seconds=older_than) if older_than is not None else None)

    # Keys and copies --------------------------------------------------------------------------------------------------
    def reseal(self) -> ResealedBodies:
        """Seals by the first key what another one, or none, sealed; what is written meanwhile is left as it was written."""
        changed, left, unknown = 0, 0, set[str]()
        for kind, name in [*(("session", name) for name in self.list_sessions()), *(("value", name) for name in self._value_names())]:
            before = self._body_of(kind, name)
            if not before or id_in(before) == self.keyring.current:
                continue
            try:
                after = self.keyring.seal(name, self.keyring.open(name, before))
            except UnknownStateKey as error:
                unknown.add(error.key)
            except DamagedRecord:
                left += 1
            else:
                changed += self._swap_body(kind, name, before, after)
        return ResealedBodies(changed, left, tuple(sorted(unknown)))

    def keys_in_use(self) -> Counter[str]:
        """How many bodies each key sealed, by its id; under the empty one those that none did."""
        sealed = Counter(id_in(body) for name in self.list_sessions() if (body := self._body_of("session", name)))
        return sealed + Counter(id_in(body) for name in self._value_names() if (body := self._body_of("value", name)))

    def sealed_session(self, session_id: str) -> StoredSession | None:
        """The session as it is stored, for a copy of it: sealed where it is. Raises BadKey and DamagedRecord."""
        _checked_id(session_id)
        return self._read_session(session_id)

    def put_back(self, session: StoredSession) -> None:
        """Stores what `sealed_session` gave. Raises OlderWriter and BadKey."""
        _checked_id(session.id)
        self._write_session(session)

    # Observability (FR-038, FR-048) -----------------------------------------------------------------------------------
    @abstractmethod
    def get_stats(self) -> StorageStats:
        """The counts and sizes of sessions and values together."""

    # What each adapter does in its own way ----------------------------------------------------------------------------
    @abstractmethod
    def _open(self) -> None: ...
    @abstractmethod
    def _write_session(self, session: StoredSession) -> None: ...
    @abstractmethod
    def _fence(self, session: StoredSession) -> StoredSession: ...
    @abstractmethod
    def _read_session(self, session_id: str) -> StoredSession | None: ...
    @abstractmethod
    def _remove_session(self, session_id: str) -> bool: ...
    @abstractmethod
    def _write_value(self, value: StoredValue) -> None: ...
    @abstractmethod
    def _read_value(self, key: str) -> StoredValue | None: ...
    @abstractmethod
    def _remove_value(self, key: str) -> bool: ...
    @abstractmethod
    def _clear(self, before: datetime | None) -> int: ...
    @abstractmethod
    def _value_names(self) -> list[str]: ...
    @abstractmethod
    def _swap_body(self, kind: str, name: str, before: bytes, after: bytes) -> bool:
        """Whether the body was still `before`, and is `after` now: one step."""

    def _body_of(self, kind: str, name: str) -> bytes:
        found = self._read_session(name) if kind == "session" else self._read_value(name)
        return found.body if found is not None else b""

    def _opened(self, session: StoredSession) -> StoredSession:
        return replace(session, body=self.keyring.open(session.id, session.body))

    def _is_over(self, saved_at: datetime | None) -> bool:
        ttl = self.config.ttl
        return ttl is not None and saved_at is not None and saved_at < datetime.now(UTC) - timedelta(seconds=ttl)

    def _check_room(self, more: int) -> None:
        most = self.config.max_size
        if most is not None and self.get_stats().total_size + more > most:
            raise StorageFull(f"the storage holds at most {most:,} bytes")


def away_on(*errors: type[Exception], what: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Tells these errors of a client or a system as StorageAway: `what` does not answer."""

    def decorate(work: Callable[P, T]) -> Callable[P, T]:
        @wraps(work)
        def done(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return work(*args, **kwargs)
            except errors as error:
                raise StorageAway(f"{what} can't be used: {type(error).__name__}") from error

        return done

    return decorate


def page(ids: list[str], limit: int | None, offset: int) -> list[str]:
    return ids[offset:] if limit is None else ids[offset : offset + limit]


def _checked_id(session_id: str) -> None:
    if not isinstance(session_id, str) or not _ID.fullmatch(session_id):
        raise BadKey("the id of a session is letters, digits, dots, dashes and underscores")


def _check_key(key: str) -> None:
    if not isinstance(key, str) or not 1 <= len(key) <= LONGEST_KEY or "\0" in key or not _is_utf8(key):
        raise BadKey(f"a key is a text of 1 to {LONGEST_KEY} characters")


def _is_utf8(key: str) -> bool:
    try:
        key.encode()
    except UnicodeEncodeError:
        return False
    return True
