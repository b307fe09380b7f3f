"""continuity pause: nothing is recorded for a while, and what is said meanwhile is not recorded afterwards either."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from continuity.client import terminal
from continuity.client.client import Client
from continuity.client.credentials import NotLoggedIn
from continuity.client.light import exclusions, live_sessions
from continuity.client.light.wording import shown_path
from continuity.client.main import DONE, FAILED
from continuity.client.recording import positions
from continuity.client.recording.sending import Sender
from continuity.client.recording.session_recorder import SessionRecorder
from continuity.client.recording.spool import Spool
from continuity.transcripts import TranscriptError

# A recorder at work looks at its sessions three times a second.
READ_ON_SECONDS = 1.0
MINUTES = 60.0
LONGEST = 7 * 24 * 60  # minutes


def arguments(parser: argparse.ArgumentParser) -> None:
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--minutes", type=_minutes, metavar="N", help="end by itself after so long, at most a week")
    how.add_argument("--end", action="store_true", help="record again from now on")


def run(options: argparse.Namespace) -> int:
    if options.end:
        return _end(options)
    exclusions.pause(time.time() + options.minutes * MINUTES if options.minutes else 0.0)
    _show(options, f"Nothing is recorded {exclusions.paused()}, and nothing of it afterwards.")
    return DONE


def _minutes(given: str) -> float:
    minutes = float(given)
    if not 0 < minutes <= LONGEST:
        raise argparse.ArgumentTypeError(f"{given} is not between 0 and {LONGEST:,}")
    return minutes


def _end(options: argparse.Namespace) -> int:
    if exclusions.paused():
        _read_past()
    if not exclusions.end_pause():
        terminal.note("nothing is paused")
        return FAILED
    _show(options, "Recording again from now on; what was said in the pause is left out.")
    return DONE


def _read_past() -> None:
    """Drops what was said until now: by the recorder that is at work, else here."""
    try:
        claim = live_sessions.claim(live_sessions.folder())
    except NotLoggedIn:
        return  # Nothing is recorded at all.
    try:
        if not claim.ours:
            time.sleep(READ_ON_SECONDS)
            return
        sender = Sender(Client(acting=False), Spool(), terminal.note)
        for known in positions.everything():
            path = Path(known.path)
            if not path.exists() or path.stat().st_size == known.offset:
                continue
            recorder = SessionRecorder(path, sender, terminal.note)
            try:
                recorder.finish()
            except (OSError, TranscriptError) as error:
                terminal.note(f"{shown_path(path)} can't be read: {error}")
            finally:
                recorder.close()
    finally:
        claim.release()


def _show(options: argparse.Namespace, said: str) -> None:
    if options.json:
        terminal.show_json({"paused": exclusions.paused()})
    else:
        terminal.show(said)
