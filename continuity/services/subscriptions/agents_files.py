"""The operators' `agents.yaml`: read again when it changes; one that can't be read changes nothing, and says why."""

import logging
import threading
from pathlib import Path

from django.conf import settings

from continuity.events import agents_file
from continuity.events.agents_file import AgentEntry
from continuity.events.policies import ReplayPolicy

logger = logging.getLogger("continuity.events")


class _Watched:
    """The entries of the file as it was last good, by its time and size."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stamp: tuple[str, int, int] | None = None
        self._entries: dict[str, AgentEntry] = {}

    def entries(self, path: Path) -> dict[str, AgentEntry]:
        with self._lock:
            try:
                found = path.stat()
                stamp = (str(path), found.st_mtime_ns, found.st_size)
                if stamp != self._stamp:
                    self._stamp = stamp
                    with path.open("rb") as file:
                        told = file.read(agents_file.LARGEST + 1)
                    self._entries = agents_file.read(told.decode("utf-8", "replace"))
            except OSError as error:
                self._told(path, type(error).__name__)
            except agents_file.BadAgentsFile as error:
                self._told(path, str(error))
            return self._entries

    def _told(self, path: Path, error: str) -> None:
        logger.error("%s can't be used; what was read before holds", path.name, extra={"metadata": {"error": error}})


_watched = _Watched()


def entry_of(agent: str) -> AgentEntry | None:
    """The file's entry on an agent; None where it says nothing, or there is no file."""
    path = settings.CONTINUITY_AGENTS_FILE
    return _watched.entries(path).get(agent) if path else None


def policy_of(agent: str) -> ReplayPolicy | None:
    """The policy that the file sets for an agent, if it sets one."""
    entry = entry_of(agent)
    return entry.said.get("replay") if entry else None
