"""Bytes to lines, with a ceiling on how much of one line is ever held."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

CHUNK = 1 << 18
MAX_LINE = 32 * 2**20


@dataclass(frozen=True, slots=True)
class Raw:
    """One undecoded record: its 0-based line or list element, where it begins in the source and how long it is, in bytes.

    `data` is None where it was longer than the limit and was passed over. `complete` is False where the source ended
    before the record did; a last line without a newline counts as such, although it may well be whole.
    """

    line: int
    offset: int
    size: int
    data: bytes | None
    complete: bool = True


def read_chunks(stream: BinaryIO) -> Iterator[bytes]:
    """The stream in UTF-8, without its byte order mark; UTF-16 and UTF-32 are converted where their mark announces them."""
    first = stream.read(CHUNK)
    for mark, encoding in _MARKS:
        if first.startswith(mark):
            decoder = codecs.getincrementaldecoder(encoding)("replace")
            yield decoder.decode(first[len(mark) :]).encode("utf-8", "replace")
            while chunk := stream.read(CHUNK):
                yield decoder.decode(chunk).encode("utf-8", "replace")
            return
    yield first.removeprefix(codecs.BOM_UTF8)
    while chunk := stream.read(CHUNK):
        yield chunk


def split_lines(chunks: Iterable[bytes], limit: int = MAX_LINE) -> Iterator[Raw]:
    """The lines of a stream; of one longer than `limit` bytes no more than a chunk is held at a time."""
    number = offset = size = 0
    pieces: list[bytes] = []
    for chunk in chunks:
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            size += end - start
            pieces.append(chunk[start:end])
            yield Raw(number, offset, size, b"".join(pieces) if size <= limit else None)
            number, offset, size, start = number + 1, offset + size + 1, 0, end + 1
            pieces.clear()
        size += len(chunk) - start
        if size <= limit:
            pieces.append(chunk[start:])
        else:
            pieces.clear()
    if size:
        yield Raw(number, offset, size, b"".join(pieces) if size <= limit else None, complete=False)


def number_lines(lines: Iterable[bytes], first: int = 0, limit: int = MAX_LINE) -> Iterator[Raw]:
    """Lines that someone else split, as records; `first` is the number of the first one."""
    offset = 0
    for number, line in enumerate(lines, first):
        body = line.rstrip(b"\r\n")
        yield Raw(number, offset, len(body), body if len(body) <= limit else None)
        offset += len(line)


# UTF-32's mark begins with UTF-16's, so it is tried first
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
