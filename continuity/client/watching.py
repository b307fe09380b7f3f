"""Many session files at once, recorded as they grow."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from continuity.client.claims import Claim
from continuity.client.finding import Found
from continuity.client.recording import Recorder
from continuity.client.sending import Sender
from continuity.transcripts import TranscriptError

LOOK_SECONDS = 0.3
FIND_SECONDS = 2.0
OFFERS_SECONDS = 60.0
# A file that was quiet for so long is let go; when it grows it is found again.
FORGET_SECONDS = 900.0


class Watcher:
    """`find` gives the files to follow. `stop` may be set from a signal handler: what is read is then sent or kept, and no more."""

    def __init__(self, find: Callable[[], Iterable[Found]], sender: Sender, say: Callable[[str], None]) -> None:
        self._find = find
        self._sender = sender
        self._say = say
        self._recorders: dict[Path, Recorder] = {}
        self._claims: dict[Path, Claim] = {}
        self._sizes: dict[Path, int] = {}
        self._found_at = self._offers_at = float("-inf")
        self.stop = False

    @property
    def quiet_for(self) -> float:
        """Seconds since any file gave something."""
        return min((recorder.quiet_for for recorder in self._recorders.values()), default=float("inf"))

    @property
    def files(self) -> int:
        return len(self._recorders)

    def latest(self) -> Recorder | None:
        """The recorder of the file that grew last."""
        return min(self._recorders.values(), key=lambda recorder: recorder.quiet_for, default=None)

    def run(self, *, until_quiet: float = 0.0, once: bool = False) -> None:
        """Follows until stopped, or until all files were quiet for so many seconds."""
        if once:
            self._found_at = float("-inf")  # A session that began since the last look belongs to it.
        while not self.stop:
            worked = self.look()
            if once and not worked:
                break
            if until_quiet and self.quiet_for >= until_quiet:
                break
            if not worked:
                time.sleep(LOOK_SECONDS)
        for recorder in self._recorders.values():
            recorder.close()

    def look(self) -> bool:
        """One round over all files; whether any of them gave something."""
        if time.monotonic() - self._found_at >= FIND_SECONDS:
            self._found_at = time.monotonic()
            self._take_up()
        self._sender.drain()
        worked = [self._step(path) for path in list(self._recorders)]
        folders = {recorder.cwd for recorder in self._recorders.values()} - {""}
        if folders and time.monotonic() - self._offers_at >= OFFERS_SECONDS and not self._sender.retrying.away:
            self._offers_at = time.monotonic()
            self._sender.fetch_offers(folders)
        return any(worked)

    def _take_up(self) -> None:
        for found in self._find():
            path = found.path.absolute()
            if path in self._recorders or self._sizes.get(path) == _size(path):
                continue
            self._recorders[path] = Recorder(path, self._sender, self._say, format=found.format)
            self._claims[path] = Claim(path)
            self._say(f"recording {path}")

    def _step(self, path: Path) -> bool:
        recorder = self._recorders[path]
        try:
            if recorder.step():
                return True
        except (OSError, TranscriptError) as error:
            self._say(f"{path} can't be read: {error}")
            self._let_go(path)
            return False
        if recorder.quiet_for > FORGET_SECONDS:
            self._let_go(path)
        return False

    def _let_go(self, path: Path) -> None:
        self._sizes[path] = _size(path)
        self._recorders.pop(path).close()
        self._claims.pop(path).release()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1
