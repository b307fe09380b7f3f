"""The live sessions that hooks named, as the recorder sees them: which files to follow, and when a session is over."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from continuity.client import places
from continuity.client.light import live_sessions
from continuity.client.recording import finding
from continuity.client.recording.finding import FoundSession
from continuity.client.recording.folder_changes import FolderChanges
from continuity.client.recording.watching import Watcher

# After its end a session's file is followed for so long: some tools write the last of it behind their hook.
ENDED_SECONDS = 10.0
# A session that nobody ended, and whose tool can't be told to be gone, is over when it was quiet for so long. Its next hook names it again.
IDLE_SECONDS = 600.0


class LiveSession(NamedTuple):
    """`pid` and `born` name the tool's process where the system tells; `ended` is empty until the tool said so."""

    path: Path
    pid: str
    born: str
    ended: str
    tool: str
    cwd: str


class LiveSessions:
    """Reads the folder only when it changed. What is over is struck off when its file has been read to its end."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._noticed = FolderChanges(Path(folder))
        self._sessions: dict[Path, LiveSession] = {}
        self._over_at: dict[Path, float] = {}
        self._agents: dict[Path, tuple[FolderChanges, list[Path]]] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def __contains__(self, path: object) -> bool:
        return isinstance(path, Path) and (finding.session_of(path) or path) in self._sessions

    def look(self) -> bool:
        """Whether other sessions are named than before."""
        if not self._noticed.changed():
            return False
        before = self._sessions
        self._sessions = {}
        for entry in sorted(Path(self._folder).glob("*.json")):
            told = places.read_object(entry)
            if path := str(told.get("path", "")):
                known = {name: str(told.get(name, "")) for name in LiveSession._fields if name != "path"}
                self._sessions[Path(path)] = LiveSession(Path(path), **known)
        self._over_at = {path: at for path, at in self._over_at.items() if path in self._sessions}
        return self._sessions != before

    def find(self) -> Iterator[FoundSession]:
        """The files of the live sessions, with those of their sub-agents."""
        for path, session in list(self._sessions.items()):
            for each in [path, *self._agents_of(path)]:
                yield FoundSession(each, session.tool, session.cwd)

    def strike_off(self, watcher: Watcher) -> None:
        """Forgets the sessions that are over and read to their end."""
        now = time.monotonic()
        for path, session in list(self._sessions.items()):
            quiet = min(_quiet(watcher, each) for each in [path, *self._agents_of(path)])
            over = bool(session.ended) or not live_sessions.is_alive(session.pid, session.born)
            if over:
                since = self._over_at.setdefault(path, now)
                done = now - since >= ENDED_SECONDS and quiet >= ENDED_SECONDS
            else:
                self._over_at.pop(path, None)
                done = quiet >= IDLE_SECONDS
            if done:
                self._strike_off(watcher, session)

    def _strike_off(self, watcher: Watcher, session: LiveSession) -> None:
        for each in [session.path, *self._agents_of(session.path)]:
            recorder = watcher.of(each)
            if recorder is not None and recorder.waits:
                return  # There was no room for all of it yet.
        entry = Path(live_sessions.file_of(self._folder, str(session.path)))
        told = places.read_object(entry)
        if str(told.get("ended", "")) == session.ended:  # A hook may have named it anew since.
            entry.unlink(missing_ok=True)
            del self._sessions[session.path]
            for each in [session.path, *self._agents_of(session.path)]:
                watcher.let_go(each)

    def _agents_of(self, path: Path) -> list[Path]:
        """Listed again only where the folder of the sub-agents changed."""
        known = self._agents.get(path) or (FolderChanges(path.with_suffix("") / finding.AGENTS), [])
        if known[0].changed():
            known = (known[0], finding.with_agents(path)[1:])
        self._agents[path] = known
        return known[1]


def _quiet(watcher: Watcher, path: Path) -> float:
    """Seconds since the file gave something; endless where it is not followed, because it was quiet or is not there."""
    recorder = watcher.of(path)
    return recorder.quiet_for if recorder is not None else float("inf")
