"""One JSON file for each session: `data/agent-state/<id>.json`, readable by its owner alone, and whole or not there at all."""

from __future__ import annotations

import fcntl
import hashlib
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from continuity.storage.adapter import StorageAdapter, StoredValue, away_on, page
from continuity.storage.file_json import read_session, read_value, session_json, value_json
from continuity.storage.sessions import DamagedRecord, OlderWriter, StorageHealth, StorageRefused, StorageStats, StoredSession
from continuity.storage.whole_files import FILE_MODE, FOLDER_MODE, changed_at, read, stat_of, sync_folder, write

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
            write(self._at(session.id), session_json(session))

    @_telling
    def _fence(self, session: StoredSession) -> StoredSession:
        with self._alone(self._at(session.id)):
            known = self._read_session(session.id) or session
            if known.epoch > session.epoch:
                raise OlderWriter(known.epoch, session.epoch)
            fenced = replace(known, epoch=session.epoch)
            write(self._at(session.id), session_json(fenced))
            return fenced

    @_telling
    def _read_session(self, session_id: str) -> StoredSession | None:
        told = read(self._at(session_id))
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
            write(path, value_json(value))

    @_telling
    def _read_value(self, key: str) -> StoredValue | None:
        told = read(self._of(key))
        return None if told is None else read_value(told)

    @_telling
    def _remove_value(self, key: str) -> bool:
        return self._remove(self._of(key))

    @_telling
    def _clear(self, before: datetime | None) -> int:
        return sum(self._remove(path, before) for path in self._values.glob("*.json"))

    @_telling
    def _value_names(self) -> list[str]:
        return sorted(read_value(told).key for path in self._values.glob("*.json") if (told := read(path)) is not None)

    @_telling
    def _swap_body(self, kind: str, name: str, before: bytes, after: bytes) -> bool:
        path = self._at(name) if kind == "session" else self._of(name)
        with self._alone(path):
            found = self._read_session(name) if kind == "session" else self._read_value(name)
            if found is None or found.body != before:
                return False
            changed = replace(found, body=after)
            write(path, session_json(changed) if isinstance(changed, StoredSession) else value_json(changed))
            return True

    @_telling
    def get_stats(self) -> StorageStats:
        # One that was removed meanwhile, by another process, is none.
        files = [found for folder in (self._folder, self._values) for path in folder.glob("*.json") if (found := stat_of(path)) is not None]
        times = [changed_at(found) for found in files]
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

    def _remove(self, path: Path, before: datetime | None = None) -> bool:
        """Whether there was one, of before that moment."""
        with self._alone(path):
            found = stat_of(path)
            if found is not None and before is not None and changed_at(found) >= before:
                return False
            path.with_name(f".{path.stem}.unfinished").unlink(missing_ok=True)
            path.unlink(missing_ok=True)
            sync_folder(path.parent)
            return found is not None
