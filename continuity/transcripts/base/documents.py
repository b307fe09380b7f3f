"""One JSON document to the elements of its message list, one at a time, without ever holding the document.

The scanner only finds where values begin and end; each is then decoded by itself, so that an element which is broken, too
long or too deep costs that element and not the rest of the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from continuity.transcripts.base.lines import MAX_LINE, Raw

LIST_KEY = b'"messages"'
MAX_FIELD = 4 * 2**20

_SPACE = re.compile(rb"[\s\x00]*+")
_STRUCTURE = re.compile(rb'["\[\]{}]')
_STRING_BODY = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_SCALAR = re.compile(rb"[^\s,\[\]{}:\"]*+")


@dataclass(frozen=True, slots=True)
class Field:
    """One of the document's own fields beside its message list; `key` is still JSON text."""

    key: bytes
    data: bytes


@dataclass(frozen=True, slots=True)
class UnreadTail:
    """Something follows the end of the document, after `line` elements."""

    line: int


def read_document(chunks: Iterable[bytes], limit: int = MAX_LINE, list_key: bytes = LIST_KEY) -> Iterator[Raw | Field | UnreadTail]:
    """The elements of a JSON list, or of the list under `list_key` in a JSON object, and the object's other fields.

    An element longer than `limit` bytes comes without its data. A field longer than 4 MiB is passed over.
    """
    scan = _Scan(chunks)
    opening = scan.peek()
    scan.skip()
    count = 0
    for found in _elements(scan, limit, 0) if opening == b"[" else _fields(scan, limit, list_key):
        count += isinstance(found, Raw)
        yield found
    if scan.peek():
        yield UnreadTail(count)


def has_message_list(chunks: Iterable[bytes], limit: int = 2 * MAX_LINE, list_key: bytes = LIST_KEY) -> bool:
    """Whether the stream begins with one JSON object that has a message list; reads at most about `limit` bytes to tell."""
    scan = _Scan(chunks)
    if scan.peek() != b"{":
        return False
    scan.skip()
    while scan.offset < limit and (token := scan.peek()) not in (b"", b"}"):
        if token == b",":
            scan.skip()
            continue
        key = scan.value(MAX_FIELD).data
        if scan.peek() == b":":
            scan.skip()
        if key == list_key and scan.peek() == b"[":
            return True
        scan.value(0)
    return False


def _fields(scan: _Scan, limit: int, list_key: bytes) -> Iterator[Raw | Field]:
    read = 0
    while token := scan.peek():
        if token in b",}":
            scan.skip()
            if token == b"}":
                return
            continue
        key = scan.value(MAX_FIELD).data or b""
        if scan.peek() == b":":
            scan.skip()
        if key == list_key and scan.peek() == b"[":
            scan.skip()
            for element in _elements(scan, limit, read):
                read += 1
                yield element
        elif scan.peek() not in (b"", b",", b"}"):
            field = scan.value(MAX_FIELD)
            if field.data is not None and field.complete:
                yield Field(key, field.data)


def _elements(scan: _Scan, limit: int, first: int) -> Iterator[Raw | Field]:
    line = first
    while token := scan.peek():
        if token in b",]":
            scan.skip()
            if token == b"]":
                return
            continue
        found = scan.value(limit)
        yield Raw(line, found.offset, found.size, found.data, found.complete)
        line += 1


class _Scan:
    """A position in a stream of chunks that moves over whole JSON values."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._chunk = b""
        self._at = 0
        self._before = 0

    @property
    def offset(self) -> int:
        return self._before + self._at

    def peek(self) -> bytes:
        """The next byte that is not white space, without moving past it; empty at the end."""
        while True:
            match = _SPACE.match(self._chunk, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._chunk):
                return self._chunk[self._at : self._at + 1]
            if not self._more():
                return b""

    def skip(self) -> None:
        self._at += 1

    def value(self, limit: int) -> Raw:
        """Moves over the value at the position and returns its bytes, or none of them where they exceed `limit`."""
        start, taken = self.offset, _Taken(limit)
        first = self.peek()
        if first == b'"':
            self._take(1, taken)
            complete = self._string(taken)
        elif first in (b"[", b"{"):
            complete = self._container(taken)
        else:
            complete = self._scalar(taken)
        return Raw(0, start, taken.size, taken.bytes(), complete)

    def _container(self, taken: _Taken) -> bool:
        depth = 0
        while True:
            match = _STRUCTURE.search(self._chunk, self._at)
            if match is None:
                self._take(len(self._chunk) - self._at, taken)
                if not self._more():
                    return False
                continue
            self._take(match.end() - self._at, taken)
            token = match.group()
            if token == b'"':
                if not self._string(taken):
                    return False
            elif token in b"[{":
                depth += 1
            else:
                depth -= 1
                if depth == 0:
                    return True

    def _string(self, taken: _Taken) -> bool:
        """Moves past the closing quote; False where the stream ends before it."""
        while True:
            match = _STRING_BODY.match(self._chunk, self._at)
            self._take((match.end() if match else self._at) - self._at, taken)
            if self._at < len(self._chunk) and self._chunk[self._at] == 0x22:
                self._take(1, taken)
                return True
            # an escape that the chunk's end tears apart is read on as a whole
            torn = self._chunk[self._at :]
            if not self._more(keep=torn):
                self._take(len(self._chunk) - self._at, taken)
                return False

    def _scalar(self, taken: _Taken) -> bool:
        moved = False
        while True:
            match = _SCALAR.match(self._chunk, self._at)
            length = (match.end() if match else self._at) - self._at
            moved = moved or length > 0
            self._take(length, taken)
            if self._at < len(self._chunk):
                if not moved:
                    self._take(1, taken)
                return True
            if not self._more():
                return True

    def _take(self, length: int, taken: _Taken) -> None:
        taken.add(self._chunk[self._at : self._at + length])
        self._at += length

    def _more(self, keep: bytes = b"") -> bool:
        """Goes on to the next chunk, in front of which `keep`, the unread rest of this one, is put."""
        for following in self._chunks:
            if following:
                self._before += len(self._chunk) - len(keep)
                self._chunk, self._at = keep + following, 0
                return True
        return False


class _Taken:
    """The bytes of one value, up to a limit; beyond it only their number."""

    def __init__(self, limit: int) -> None:
        self.size = 0
        self._limit = limit
        self._pieces: list[bytes] = []

    def add(self, piece: bytes) -> None:
        self.size += len(piece)
        if self.size <= self._limit:
            self._pieces.append(piece)
        else:
            self._pieces.clear()

    def bytes(self) -> bytes | None:
        return b"".join(self._pieces) if self.size <= self._limit else None
