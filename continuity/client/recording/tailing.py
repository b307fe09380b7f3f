"""Follows one session file as its tool writes it: growth, truncation, rotation, a last line without its end."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from continuity.client.recording.folder_changes import FolderChanges
from continuity.transcripts import MAX_LINE, PART_LIMIT
from continuity.transcripts.base.decoding import decode_record
from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.format import Event, Parser
from continuity.transcripts.base.model import Report
from continuity.transcripts.opening import format_named

CHUNK = 1 << 18
CLOSED = -1
MARK_BYTES = 256
BATCH_EVENTS = 400
BATCH_CHARACTERS = 4_000_000


class Position(NamedTuple):
    """How far a file is dealt with: `offset` bytes, of which the last ones have the hash `mark`."""

    offset: int = 0
    mark: str = ""


class Tail:
    """The events of a file from a position on.

    What a reader must know of earlier records (names of tools, ids given, the live path) follows from the file alone, so
    going on in a new process reads the dealt-with part again and gives nothing of it. An event counts to the line that
    showed it; `position` is behind the last whole line read.
    """

    def __init__(self, path: Path, format: str, position: Position = Position()) -> None:
        self.path = path
        self.format = format
        self._handle = CLOSED
        self._resume_at = position
        self._rested: os.stat_result | None = None
        self._where = path  # The file that is read, where it was renamed.
        self._moved = FolderChanges(path.parent)
        self._rotated = False
        self.beginnings = 0  # how often the file turned out to be another one
        self._begin()

    @property
    def position(self) -> Position:
        return Position(self._offset, hashlib.sha256(self._recent).hexdigest() if self._offset else "")

    def read(self) -> list[Event]:
        """The next events, at most a batch of them; none where nothing was added. Raises OSError where it can't be read."""
        if self._handle == CLOSED and not self._open():
            return []
        if self._handle == CLOSED:
            return self._start_over()
        self._rest = b""  # The beginning of a line may have been written anew.
        if self._was_replaced():
            return self._start_over()
        events = list(self._batch())
        if not events and self._rotated:
            return self._start_over()
        return events

    def settle(self) -> list[Event]:
        """Return the messages that the reader held back for records that did not come; to be called when the file has been quiet for a
        while."""
        return list(self._parser.finish())

    @property
    def is_open(self) -> bool:
        return self._handle != CLOSED

    def rest(self) -> None:
        """Holds no descriptor until the file changes; where it is renamed meanwhile, it is looked for in its folder."""
        if self._handle != CLOSED:
            self._rested = os.fstat(self._handle)
            self.close()

    def close(self) -> None:
        if self._handle != CLOSED:
            os.close(self._handle)
            self._handle = CLOSED

    def _begin(self) -> None:
        self.report = Report(format=self.format)
        self._parser: Parser = format_named(self.format).parser(self.report, PART_LIMIT)
        self._offset = self._line = 0
        self._rest = self._recent = b""
        self._too_long = False

    def _open(self) -> bool:
        """False where there is nothing to read. Nothing is open either where the file that was read is gone and another stands there."""
        if self._rested is not None:
            return self._wake(self._rested)
        try:
            self._handle = os.open(self.path, os.O_RDONLY)
        except FileNotFoundError:
            return False
        resume, self._resume_at = self._resume_at, Position()
        if resume.offset and self._holds(resume):
            self._read_again(resume.offset)
            if self.position != resume:
                self._begin()
        return True

    def _wake(self, rested: os.stat_result) -> bool:
        """Opens the file again if it grew; where it is gone from its place, what it was renamed to."""
        here, there = _stat(self._where), _stat(self.path)
        if here is None or not os.path.samestat(here, rested):
            if not self._moved.changed():
                return False
            self._where = next((path for path in _beside(self.path) if _is_same(path, rested)), self.path)
            here = _stat(self._where)
        if here is not None and os.path.samestat(here, rested):
            grown = (here.st_size, here.st_mtime_ns) != (rested.st_size, rested.st_mtime_ns)
            if not grown and (there is None or self._where == self.path):
                return False
            self._handle = os.open(self._where, os.O_RDONLY)
        elif there is None:
            return False
        self._rested = None
        return True

    def _holds(self, position: Position) -> bool:
        """Whether the file's first bytes are those that were dealt with."""
        first = max(0, position.offset - MARK_BYTES)
        return hashlib.sha256(self._bytes(first, position.offset)).hexdigest() == position.mark

    def _bytes(self, first: int, end: int) -> bytes:
        return os.pread(self._handle, end - first, first)

    def _was_replaced(self) -> bool:
        """Whether the file was truncated or written anew. One that was renamed is read to its end first."""
        ours = os.fstat(self._handle)
        if ours.st_size < self._offset or self._bytes(self._offset - len(self._recent), self._offset) != self._recent:
            return True
        try:
            there = self.path.stat()
        except FileNotFoundError:
            return False
        self._rotated = (there.st_ino, there.st_dev) != (ours.st_ino, ours.st_dev)
        return False

    def _start_over(self) -> list[Event]:
        """Gives what was held back, and goes on with what stands at the path now, from its beginning."""
        held = self.settle()
        self.close()
        self._where = self.path
        self._rotated = False
        self.beginnings += 1
        self._begin()
        return held

    def _read_again(self, end: int) -> None:
        while self._chunk(end):
            for _ in self._lines(all=True):
                pass
        for _ in self._last_line():
            pass

    def _batch(self) -> Iterator[Event]:
        count = characters = 0
        while count < BATCH_EVENTS and characters < BATCH_CHARACTERS:
            found = False
            for event in self._lines():
                found = True
                count += 1
                characters += sum(len(part.text) for part in getattr(event, "parts", ()))
                yield event
            if not found and not self._chunk():
                yield from self._last_line()
                return

    def _chunk(self, end: int | None = None) -> bool:
        """Reads on, up to `end`; False where there is nothing."""
        behind = self._offset + len(self._rest)
        data = os.pread(self._handle, CHUNK if end is None else min(CHUNK, end - behind), behind)
        self._rest += data
        return bool(data)

    def _lines(self, all: bool = False) -> Iterator[Event]:
        """The events of the whole lines read so far; of at most a batch of them, unless of all."""
        count = 0
        while (all or count < BATCH_EVENTS) and (end := self._rest.find(b"\n")) >= 0:
            line = self._take(end + 1)
            for event in self._record(line):
                count += 1
                yield event
            self._line += 1
        if len(self._rest) > MAX_LINE:
            self._too_long = True
            self._take(len(self._rest))

    def _last_line(self) -> Iterator[Event]:
        """A JSON object is whole without the line's end, which some tools write only before the next record."""
        if self._rest.rstrip().endswith(b"}") and not self._too_long:
            try:
                decode_record(self._rest, complete=False)
            except BadRecord:
                return
            yield from self._record(self._take(len(self._rest)))

    def _take(self, size: int) -> bytes:
        taken, self._rest = self._rest[:size], self._rest[size:]
        self._offset += size
        self._recent = (self._recent + taken)[-MARK_BYTES:]
        return taken

    def _record(self, line: bytes) -> Iterator[Event]:
        if self._too_long:
            self._too_long = False
            self.report.skip(self._line, f"is longer than the limit of {MAX_LINE:,} bytes")
            return
        if self._line == 0:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line.strip():
            return
        try:
            yield from self._parser.record(self._line, decode_record(line))
        except BadRecord as bad:
            self.report.skip(self._line, bad.reason)


def _beside(path: Path) -> Iterator[Path]:
    try:
        yield from path.parent.iterdir()
    except FileNotFoundError:
        return


def _is_same(path: Path, known: os.stat_result) -> bool:
    found = _stat(path)
    return found is not None and os.path.samestat(found, known)


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
