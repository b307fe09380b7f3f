"""One JSON file for each session: `data/agent-state/<id>.json`, readable by its owner alone, and whole or not there at all."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from continuity.storage.adapter import StorageAdapter, StoredValue, away_on, page
from continuity.storage.file_json import read_session, read_value, session_json, value_json
from continuity.storage.sessions import DamagedRecord, OlderWriter, StorageHealth, StorageRefused, StorageStats, StoredSession

FILE_MODE, FOLDER_MODE = 0o600, 0o700
# Writers of different sessions seldom wait for each other.
LOCKS = 16

_telling = away_on(OSError, what="The folder of states")


class FileStorageAdapter(StorageAdapter):
    """`location` is the folder. Several processes of one machine may share it."""

    def _open(self) -> None:
        if not self.config.location:
            raise StorageRefused("the folder of states is not named")
        self._folder = Path(self.config.location)
        self._values, self._locks = self._folder / "values", self._folder / ".locks"
        self._make_folders()

    @_telling
    def _make_folders(self) -> None:
        for folder in (self._folder, self._values, self._locks):
            folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            folder.chmod(FOLDER_MODE)

    def close(self) -> None:
        """Nothing is held between calls."""

    def health_check(self) -> StorageHealth:
        usable = os.access(self._folder, os.R_OK | os.W_OK | os.X_OK)
        return StorageHealth(usable, "" if usable else f"{self._folder.name} can't be written to")

    @_telling
    def _write_session(self, session: StoredSession) -> None:
        with self._alone(self._at(session.id)):
            with suppress(DamagedRecord):  # A whole one takes its place.
                known = self._read_session(session.id)
                if known is not None and known.epoch > session.epoch:
                    raise OlderWriter(known.epoch, session.epoch)
            self._store(self._at(session.id), session_json(session))

    @_telling
    def _fence(self, session: StoredSession) -> StoredSession:
        with self._alone(self._at(session.id)):
            known = self._read_session(session.id) or session
            if known.epoch > session.epoch:
                raise OlderWriter(known.epoch, session.epoch)
            fenced = replace(known, epoch=session.epoch)
            self._store(self._at(session.id), session_json(fenced))
            return fenced

    @_telling
    def _read_session(self, session_id: str) -> StoredSession | None:
        told = _read(self._at(session_id))
        return None if told is None else read_session(session_id, told)

    @_telling
    def _remove_session(self, session_id: str) -> bool:
        return self._remove(self._at(session_id))

    @_telling
    def list_sessions(self, state: str | None = None, limit: int | None = None, offset: int = 0, *, prefix: str = "") -> list[str]:
        ids = sorted(path.name.removesuffix(".json") for path in self._folder.glob("*.json") if path.name.startswith(prefix))
        if state is not None:
            ids = [each for each in ids if (found := self._read_session(each)) is not None and found.state == state]
        return page(ids, limit, offset)

    @_telling
    def _write_value(self, value: StoredValue) -> None:
        path = self._of(value.key)
        with self._alone(path):
            self._store(path, value_json(value))

    @_telling
    def _read_value(self, key: str) -> StoredValue | None:
        told = _read(self._of(key))
        return None if told is None else read_value(told)

    @_telling
    def _remove_value(self, key: str) -> bool:
        return self._remove(self._of(key))

    @_telling
    def _clear(self, before: datetime | None) -> int:
        return sum(self._remove(path, before) for path in self._values.glob("*.json"))

    @_telling
    def _value_names(self) -> list[str]:
        return sorted(read_value(told).key for path in self._values.glob("*.json") if (told := _read(path)) is not None)

    @_telling
    def _swap_body(self, kind: str, name: str, before: bytes, after: bytes) -> bool:
        path = self._at(name) if kind == "session" else self._of(name)
        with self._alone(path):
            found = self._read_session(name) if kind == "session" else self._read_value(name)
            if found is None or found.body != before:
                return False
            changed = replace(found, body=after)
            self._store(path, session_json(changed) if isinstance(changed, StoredSession) else value_json(changed))
            return True

    @_telling
    def get_stats(self) -> StorageStats:
        # One that was removed meanwhile, by another process, is none.
        files = [found for folder in (self._folder, self._values) for path in folder.glob("*.json") if (found := _stat(path)) is not None]
        times = [_changed_at(found) for found in files]
        return StorageStats(len(files), sum(found.st_size for found in files), min(times, default=None), max(times, default=None))

    def _at(self, session_id: str) -> Path:
        return self._folder / f"{session_id}.json"

    def _of(self, key: str) -> Path:
        return self._values / f"{hashlib.sha256(key.encode()).hexdigest()}.json"

    @contextmanager
    def _alone(self, path: Path) -> Iterator[None]:
        """Only one process at a time compares, writes and removes."""
        descriptor = os.open(self._locks / f"{zlib.crc32(path.name.encode()) % LOCKS:02}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _store(self, path: Path, told: dict[str, Any]) -> None:
        """The caller holds the lock, so that one name is enough for what is not finished: the next write takes its place."""
        unfinished = path.with_name(f".{path.stem}.unfinished")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(unfinished, flags, FILE_MODE), "wb") as file:
            os.fchmod(file.fileno(), FILE_MODE)
            file.write(json.dumps(told, ensure_ascii=False).encode())
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        _sync_folder(path.parent)

    def _remove(self, path: Path, before: datetime | None = None) -> bool:
        """Whether there was one, of before that moment."""
        with self._alone(path):
            found = _stat(path)
            if found is not None and before is not None and _changed_at(found) >= before:
                return False
            path.with_name(f".{path.stem}.unfinished").unlink(missing_ok=True)
            path.unlink(missing_ok=True)
            _sync_folder(path.parent)
            return found is not None


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _changed_at(found: os.stat_result) -> datetime:
    return datetime.fromtimestamp(found.st_mtime, UTC)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        told = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as error:
        raise DamagedRecord(f"{path.name} can't be read") from error
    if not isinstance(told, dict):
        raise DamagedRecord(f"{path.name} can't be read")
    return told
