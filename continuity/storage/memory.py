"""Everything in this process's memory, gone with it: for trying things out, and for tests."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from datetime import datetime

from continuity.storage.adapter import StorageAdapter, StoredValue, page
from continuity.storage.sessions import OlderWriter, StorageHealth, StorageRefused, StorageStats, StoredSession


class MemoryStorageAdapter(StorageAdapter):
    """Refused where several processes would each have a memory of their own."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._process = 0
        self._sessions: dict[str, StoredSession] = {}
        self._values: dict[str, StoredValue] = {}

    def _open(self) -> None:
        if self.config.processes > 1:
            raise StorageRefused("memory belongs to one process, and several are to share it: choose postgres, file or redis")
        self._process = os.getpid()

    def _held(self) -> threading.Lock:
        if os.getpid() != self._process:
            raise StorageRefused("memory belongs to one process, and this is another: choose postgres, file or redis")
        return self._lock

    def close(self) -> None:
        self._sessions.clear()
        self._values.clear()

    def health_check(self) -> StorageHealth:
        own = os.getpid() == self._process
        return StorageHealth(own, "" if own else "this is not the process that it belongs to")

    def _write_session(self, session: StoredSession) -> None:
        with self._held():
            known = self._sessions.get(session.id)
            if known is not None and known.epoch > session.epoch:
                raise OlderWriter(known.epoch, session.epoch)
            self._sessions[session.id] = session

    def _fence(self, session: StoredSession) -> StoredSession:
        with self._held():
            known = self._sessions.get(session.id, session)
            if known.epoch > session.epoch:
                raise OlderWriter(known.epoch, session.epoch)
            self._sessions[session.id] = replace(known, epoch=session.epoch)
            return self._sessions[session.id]

    def _read_session(self, session_id: str) -> StoredSession | None:
        with self._held():
            return self._sessions.get(session_id)

    def _remove_session(self, session_id: str) -> bool:
        with self._held():
            return self._sessions.pop(session_id, None) is not None

    def list_sessions(self, state: str | None = None, limit: int | None = None, offset: int = 0, *, prefix: str = "") -> list[str]:
        with self._held():
            found = sorted(
                name for name, session in self._sessions.items() if name.startswith(prefix) and state in (None, session.state.value)
            )
        return page(found, limit, offset)

    def _write_value(self, value: StoredValue) -> None:
        with self._held():
            self._values[value.key] = value

    def _read_value(self, key: str) -> StoredValue | None:
        with self._held():
            return self._values.get(key)

    def _remove_value(self, key: str) -> bool:
        with self._held():
            return self._values.pop(key, None) is not None

    def _clear(self, before: datetime | None) -> int:
        with self._held():
            gone = [key for key, value in self._values.items() if before is None or value.saved_at < before]
            for key in gone:
                del self._values[key]
        return len(gone)

    def _value_names(self) -> list[str]:
        with self._held():
            return sorted(self._values)

    def _swap_body(self, kind: str, name: str, before: bytes, after: bytes) -> bool:
        with self._held():
            if kind == "session" and name in self._sessions and self._sessions[name].body == before:
                self._sessions[name] = replace(self._sessions[name], body=after)
            elif kind == "value" and name in self._values and self._values[name].body == before:
                self._values[name] = replace(self._values[name], body=after)
            else:
                return False
            return True

    def get_stats(self) -> StorageStats:
        with self._held():
            items: list[StoredSession | StoredValue] = [*self._sessions.values(), *self._values.values()]
        times = [item.saved_at for item in items if item.saved_at is not None]
        size = sum(len(item.body) for item in items)
        return StorageStats(len(items), size, min(times, default=None), max(times, default=None))
