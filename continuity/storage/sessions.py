"""The values that a storage adapter keeps, and the errors that it raises. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID


class SessionState(StrEnum):
    ACTIVE = "active"
    IDLE = "idle"
    EXPIRED = "expired"
    INVALIDATED = "invalidated"


class Encoding(StrEnum):
    PLAIN = "plain"
    GZIP = "gzip"


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session as it is stored: its state in `body`, JSON in UTF-8, perhaps compressed; empty where nothing was saved yet.

    `epoch` is the fencing token of whoever wrote it. With its `team` or its `conversation` it is removed.
    """

    id: str
    body: bytes = b""
    encoding: Encoding = Encoding.PLAIN
    epoch: int = 0
    state: SessionState = SessionState.ACTIVE
    saved_at: datetime | None = None
    team: UUID | None = None
    conversation: UUID | None = None

    def told(self) -> dict[str, str]:
        """All of it but its id and body, as texts."""
        return {
            "epoch": str(self.epoch),
            "encoding": self.encoding.value,
            "state": self.state.value,
            "saved_at": self.saved_at.isoformat() if self.saved_at else "",
            "team": str(self.team or ""),
            "conversation": str(self.conversation or ""),
        }

    @classmethod
    def of(cls, id: str, body: bytes, told: Mapping[str, str]) -> StoredSession:
        """What `told` gave. Raises DamagedRecord where this is something else."""
        try:
            return cls(
                id=id,
                body=body,
                encoding=Encoding(told["encoding"]),
                epoch=int(told["epoch"]),
                state=SessionState(told["state"]),
                saved_at=datetime.fromisoformat(told["saved_at"]) if told["saved_at"] else None,
                team=UUID(told["team"]) if told["team"] else None,
                conversation=UUID(told["conversation"]) if told["conversation"] else None,
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DamagedRecord(f"the session {id} can't be read") from error


@dataclass(frozen=True, slots=True)
class StorageAdapterConfig:
    """`location`: a folder, or the prefix of keys. `ttl`: seconds after which what was stored counts as gone. `max_size`: bytes in all.
    `processes`: how many will share the storage. `keys` seal what is stored. The rest is for one adapter alone."""

    location: str = ""
    ttl: float | None = None
    max_size: int | None = None
    processes: int = 1
    keys: tuple[bytes, ...] = ()
    rest: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StorageStats:
    """Bytes are those of bodies, as stored."""

    item_count: int = 0
    total_size: int = 0
    oldest_item: datetime | None = None
    newest_item: datetime | None = None


@dataclass(frozen=True, slots=True)
class StorageHealth:
    healthy: bool
    message: str = ""


class StorageError(Exception):
    """Nothing was stored."""


class StorageAway(StorageError):
    """The storage does not answer; the same may work later."""


class StorageFull(StorageError):
    """The storage has reached its size."""


class StorageRefused(StorageError):
    """The storage can't be used like this; the message says why."""


class BadKey(StorageError):
    """No session or key may have this name."""


class DamagedRecord(StorageError):
    """A stored record that can't be read."""


class UnknownStateKey(StorageError):
    """What is stored is sealed by a key, named by `key`, that this installation was not given."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"what is stored is sealed by the key {key}, which is not among those of CONTINUITY_STATE_KEYS")


class OlderWriter(StorageError):
    """A later writer has begun: its epoch is `current`."""

    def __init__(self, current: int, given: int) -> None:
        self.current, self.given = current, given
        super().__init__(f"a later writer has begun: epoch {current}, not {given}")
