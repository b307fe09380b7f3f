"""Progress of each recorded session: read, kept on disk, sent, refused."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from continuity.client.recording import finding, positions, refused_messages
from continuity.client.recording.positions import FilePosition
from continuity.client.recording.spool import Spool, counted


class SessionProgress(NamedTuple):
    """A session's file and what of it is not with the server.

    `unread` are bytes of the file, `batches` wait on disk, `reason` says why where an attempt failed; `aside` messages are what the
    server did not take.
    """

    known: FilePosition
    unread: int
    batches: int
    reason: str
    aside: int

    @property
    def is_sent(self) -> bool:
        return not (self.unread or self.batches or self.aside)

    @property
    def said(self) -> str:
        """Describes what of the session is not with the server yet; empty where everything is."""
        told = [
            f"{self.unread:,} bytes to read" if self.unread else "",
            f"{counted(self.batches)} to send" if self.batches else "",
            f"{self.aside} messages set aside" if self.aside else "",
        ]
        return ", ".join(filter(None, told)) + (f": {self.reason.rstrip('.')}" if self.reason and self.batches else "")


def everything() -> list[SessionProgress]:
    """The sessions recorded here whose files are still there, the one that grew last first; sub-agents' files belong to their session's."""
    spool, files = Spool(), []
    for known in positions.everything():
        path = Path(known.path)
        if known.session and path.exists() and finding.session_of(path) is None:
            files.append((path.stat().st_mtime, of(known, spool)))
    return [each for _, each in sorted(files, key=lambda pair: pair[0], reverse=True)]


def of(known: FilePosition, spool: Spool) -> SessionProgress:
    """Raises OSError where the file is gone."""
    batches = len(spool.pending(known.session))
    reason = str(spool.trouble(known.session).get("reason", ""))
    kept = sum(each.messages for each in refused_messages.everything(known.session))
    return SessionProgress(known, max(0, Path(known.path).stat().st_size - known.offset), batches, reason, kept)
