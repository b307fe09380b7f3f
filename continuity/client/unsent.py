"""Words of sessions recorded here that are not with the server yet, and so in no handoff: sent where that is possible, else told of."""

from __future__ import annotations

from pathlib import Path

from continuity.client import terminal
from continuity.client.client import Client
from continuity.client.recording import positions, progress
from continuity.client.recording.progress import SessionProgress
from continuity.client.recording.sending import Sender
from continuity.client.recording.session_recorder import SessionRecorder
from continuity.client.recording.spool import Spool
from continuity.client.selection import repository
from continuity.transcripts import TranscriptError

SEND_SECONDS = 10.0
MOST = 5


def send(client: Client, named: str) -> list[SessionProgress]:
    """Sends what is recorded of this folder's sessions, or of the conversation `named`. Returns those of which something is left."""
    wanted = [each for each in progress.everything() if (each.known.conversation == named if named else _is_here(each))]
    tried = [_sent(client, each) for each in wanted if not each.is_sent][:MOST]
    return [each for each in tried if not each.is_sent]


def warn(left: list[SessionProgress], conversation: str) -> None:
    """Says which words the handoff of `conversation` lacks, and which other session of the folder is not fully sent."""
    for each in left:
        title = each.known.about.get("title", "") or Path(each.known.path).name
        if each.known.conversation == conversation:
            terminal.note(f"the handoff lacks what is not sent of its session, “{title}”: {each.said}")
        else:
            terminal.note(f"“{title}”, another session of this folder, is not fully sent: {each.said}. The handoff is of {conversation}")


def _sent(client: Client, session: SessionProgress) -> SessionProgress:
    """The session after an attempt to read and send the rest of it."""
    path = Path(session.known.path)
    if session.unread or session.batches:
        sender = Sender(client.for_thread(), Spool(), lambda _line: None)
        recorder = SessionRecorder(path, sender, lambda _line: None)
        try:
            recorder.finish()
            sender.flush(recorder.session, SEND_SECONDS)
            recorder.finish()
        except (OSError, TranscriptError):
            pass  # What can't be read is among what is not sent.
        finally:
            recorder.close()
            sender.client.close()
    return progress.of(positions.load(path), Spool())


def _is_here(session: SessionProgress) -> bool:
    here = Path.cwd()
    folder = Path(str(session.known.about.get("cwd", "/")))
    return folder == here or folder.is_relative_to(repository(here) or here)
