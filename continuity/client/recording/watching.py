"""Many session files at once, recorded as they grow."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from continuity.client import shapes
from continuity.client.light.wording import shown_path
from continuity.client.recording import positions
from continuity.client.recording.courier import Courier
from continuity.client.recording.finding import FoundSession
from continuity.client.recording.sending import Sender
from continuity.client.recording.session_recorder import SessionRecorder
from continuity.transcripts import TranscriptError

LOOK_SECONDS = 0.3
FIND_SECONDS = 2.0
OFFERS_SECONDS = 60.0
# What follows from the last messages is known some seconds later.
HELD_SECONDS = 5.0
# A file that was quiet for so long is let go; when it grows it is found again.
FORGET_SECONDS = 900.0
# One that was quiet for so long, or is one of too many, has no descriptor: some systems allow 256 in all.
REST_SECONDS = 5.0
MOST_OPEN = 64


class Watcher:
    """`find` gives the files to follow. `stop` may be set from a signal handler: what is read is then sent or kept, and no more.

    Reading and sending go side by side: a server that is slow with one session holds up no reading.
    """

    def __init__(self, find: Callable[[], Iterable[FoundSession]], sender: Sender, say: Callable[[str], None]) -> None:
        self._find = find
        self._sender = sender
        self._say = say
        self._recorders: dict[Path, SessionRecorder] = {}
        self._sizes: dict[Path, int] = {}
        self._found_at = self._asked_at = float("-inf")
        self._asking = threading.Thread()
        self._learned: dict[str, shapes.AppendAnswer] = {}
        self.courier = Courier(sender)
        self.stop = False

    @property
    def quiet_for(self) -> float:
        """Seconds since any file gave something."""
        return min((recorder.quiet_for for recorder in self._recorders.values()), default=float("inf"))

    @property
    def files(self) -> int:
        return len(self._recorders)

    def latest(self) -> SessionRecorder | None:
        """The recorder of the file that grew last."""
        return min(self._recorders.values(), key=lambda recorder: recorder.quiet_for, default=None)

    def of(self, path: Path) -> SessionRecorder | None:
        return self._recorders.get(path)

    def run(self, *, until_quiet: float = 0.0, once: bool = False) -> None:
        """Follows until stopped, until all files were quiet for so many seconds, or `once`: until what is there is sent or kept."""
        if once:
            self._found_at = float("-inf")  # A session that began since the last look belongs to it.
        while not self.stop:
            worked = self.look()
            if once and not worked and self.courier.idle:
                break
            if until_quiet and self.quiet_for >= until_quiet and self.courier.idle:
                break
            if not worked:
                time.sleep(LOOK_SECONDS)
        self.close()

    def close(self) -> None:
        self.courier.close()
        for recorder in self._recorders.values():
            recorder.close()
        self._learn(followed=set())

    def look(self) -> bool:
        """One round over all files; whether any of them gave something."""
        if time.monotonic() - self._found_at >= FIND_SECONDS:
            self._found_at = time.monotonic()
            self._take_up()
        worked = [self._step(path) for path in list(self._recorders)]
        self._learn(followed={recorder.session for recorder in self._recorders.values()})
        self._ask()
        return any(worked)

    def find_soon(self) -> None:
        """There are other files to follow than before."""
        self._found_at = float("-inf")

    def let_go(self, path: Path) -> None:
        """Follows a file no longer, until it grows."""
        if path in self._recorders:
            self._sizes[path] = _size(path)
            self._recorders.pop(path).close()

    def _learn(self, *, followed: set[str]) -> None:
        """Keeps what the server answered about sessions that are followed no longer: what waited of them may go long after their end."""
        answers = {session: answer for session, answer in list(self._sender.latest.items()) if session not in followed}
        fresh = {session: answer for session, answer in answers.items() if self._learned.get(session) is not answer}
        for known in positions.everything() if fresh else ():
            if known.session in fresh:
                try:
                    positions.save(positions.answered(known, fresh[known.session]))
                except OSError:
                    del fresh[known.session]  # Later, when there is room.
        self._learned |= fresh

    def _ask(self) -> None:
        """Asks, beside all else, what is ready in the sessions' folders and what became of their handoffs."""
        folders = {recorder.cwd for recorder in self._recorders.values()} - {""}
        wait = HELD_SECONDS if self._sender.awaits_handoff() else OFFERS_SECONDS
        if not folders or time.monotonic() - self._asked_at < wait or self._sender.outlook.away or self._asking.is_alive():
            return
        self._asked_at = time.monotonic()
        offering = {known.session: known for path in self._recorders if (known := positions.load(path)).handoff}
        self._asking = threading.Thread(target=self._sender.for_thread().ask, args=[folders, offering], daemon=True)
        self._asking.start()

    def _take_up(self) -> None:
        for found in self._find():
            path = found.path.absolute()
            if path in self._recorders or self._sizes.get(path) == _size(path):
                continue
            self._recorders[path] = SessionRecorder(path, self._sender, self._say, format=found.format, cwd=found.cwd)
            self._say(f"recording {shown_path(path)}")

    def _step(self, path: Path) -> bool:
        recorder = self._recorders[path]
        try:
            worked = recorder.step()
        except (OSError, TranscriptError) as error:
            self._say(f"{shown_path(path)} can't be read: {error}")
            self.let_go(path)
            return False
        except Exception as error:  # noqa: BLE001  A file on which a reader fails stops no other; it is tried again when it grows.
            self._say(f"{shown_path(path)} can't be read, by a fault of the client ({type(error).__name__}: {error})")
            self.let_go(path)
            return False
        if recorder.quiet_for > FORGET_SECONDS and not recorder.waits:
            self.let_go(path)
        elif recorder.is_open and (recorder.quiet_for > REST_SECONDS or self._open() > MOST_OPEN):
            recorder.rest()
        return worked

    def _open(self) -> int:
        return sum(recorder.is_open for recorder in self._recorders.values())


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1
