"""Opens transcript files: what kind of file it is, which format it has, and a reader for it."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from continuity.core.isolation import NOT_ITS_FAULT, error_type, place_of
from continuity.transcripts.base.decoding import decode_record, decode_text
from continuity.transcripts.base.documents import Field, has_message_list, read_document
from continuity.transcripts.base.errors import (
    BadRecord,
    BinaryFile,
    EmptyFile,
    MissingFile,
    NotAFile,
    TranscriptError,
    UnknownFormat,
    UnreadableFile,
)
from continuity.transcripts.base.format import DocumentShape, Format, Sample
from continuity.transcripts.base.lines import MAX_LINE, Raw, number_lines, read_chunks, split_lines
from continuity.transcripts.base.model import Report
from continuity.transcripts.base.parts import PART_LIMIT
from continuity.transcripts.base.reading import Source, Transcript
from continuity.transcripts.registry import FORMATS

logger = logging.getLogger("continuity.transcripts")

AUTO = "auto"
SAMPLE_RECORDS = 40
SAMPLE_LINES = 400
SAMPLE_BYTES = 2 * MAX_LINE

_BLANK = b"\x00 \t\r\n"
_MAGIC = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"\x1f\x8b": "compressed with gzip",
    b"PK\x03\x04": "a ZIP archive",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
    b"BZh": "compressed with bzip2",
    b"\xfd7zXZ": "compressed with xz",
    b"%PDF": "a PDF document",
    b"SQLite format 3": "an SQLite database",
    b"\x7fELF": "a program",
}


def detect(path: str | os.PathLike[str]) -> str:
    """The name of the format of the file's content. Raises UnknownFormat where it has none, else as `open_transcript`."""
    with _open(path) as stream:
        return _recognise(stream, path, FORMATS.values()).format.name


def open_transcript(
    path: str | os.PathLike[str], *, format: str = AUTO, cut: int | None = None, part_limit: int = PART_LIMIT
) -> Transcript:
    """A reader of the file; `cut` reads its first lines or list elements only, `part_limit` is in characters.

    Raises a TranscriptError for a missing or empty file, a directory, a file that may not be read, or an unknown format.
    What is wrong with single records stands in the report.
    """
    formats = FORMATS.values() if format == AUTO else [format_named(format)]
    stream = _open(path)
    try:
        found = _recognise(stream, path, formats, settled=format != AUTO)
    except BaseException:
        stream.close()
        raise
    stream.seek(0)
    report = Report(format=found.format.name)
    parser = found.format.parser(report, part_limit)
    source = _source(_chunks(stream, path), found.layout)
    return Transcript(source, parser, report, cut=cut, close=stream.close, text=found.format.text)


def read_lines(
    format: str, lines: Iterable[bytes], *, first_line: int = 0, part_limit: int = PART_LIMIT, after: Transcript | None = None
) -> Transcript:
    """A reader of lines that someone else read, each one record. Raises UnknownFormat for a name that is none.

    What a record says about earlier ones (a rewind, a tool's name, how often a text came before) is known only within one
    reading: `after`, an exhausted transcript, is gone on from, with its memory and its report.
    """
    known = format_named(format)
    records = number_lines(lines, first_line)
    if after is not None:
        return after.continued(records)
    report = Report(format=known.name)
    return Transcript(records, known.parser(report, part_limit), report, text=known.text)


def format_named(name: str) -> Format:
    """The format of that name. Raises UnknownFormat, which lists the known ones."""
    if name not in FORMATS:
        raise UnknownFormat(f"There is no transcript format named {name[:100]!r}", FORMATS)
    return FORMATS[name]


@dataclass(frozen=True, slots=True)
class _Layout:
    """A shape, and the key of the list of records where it is a document that may be an object."""

    shape: DocumentShape
    list_key: str = ""

    def fits(self, format: Format) -> bool:
        return format.text is (self.shape is DocumentShape.TEXT) and self.list_key in ("", format.list_key)


@dataclass(frozen=True, slots=True)
class _Recognised:
    format: Format
    layout: _Layout


def _recognise(stream: BinaryIO, path: str | os.PathLike[str], formats: Iterable[Format], settled: bool = False) -> _Recognised:
    """The format that fits the content best; with `settled` the first of `formats`, if only the file holds text."""
    stream.seek(0)
    head = next((chunk for chunk in _chunks(stream, path) if chunk.strip(_BLANK)), None)
    if head is None:
        raise EmptyFile(f"{path} is empty.")
    candidates = list(formats)
    layouts = [layout for layout in _layouts(stream, path, head, candidates) if any(map(layout.fits, candidates))]
    for layout in layouts:
        sample = _sample(stream, path, layout)
        scores = [(_score(candidate, sample), candidate) for candidate in candidates if layout.fits(candidate)]
        best, winner = max(scores, key=lambda scored: scored[0])
        if best > 0:
            return _Recognised(winner, layout)
    unknown = _refusal(path, head)
    if settled and not isinstance(unknown, BinaryFile):
        return _Recognised(candidates[0], layouts[0] if layouts else _Layout(DocumentShape.LINES))
    raise unknown


def _score(format: Format, sample: Sample) -> int:
    """How well the format fits; not at all where looking for it raises, which the log tells."""
    try:
        return format.sniff(sample)
    except NOT_ITS_FAULT:
        raise
    except Exception as error:  # noqa: BLE001  logged by its type, and the other formats are looked for still
        logger.warning("A file could not be tried as %s: %s at %s", format.name, error_type(error), place_of(error))
        return 0


def _layouts(stream: BinaryIO, path: str | os.PathLike[str], head: bytes, formats: Iterable[Format]) -> list[_Layout]:
    """The layouts that the content may have, likeliest first; a list or an object may be a bad first line, so lines are always tried."""
    first = head.lstrip(_BLANK)[:1]
    lines, text = _Layout(DocumentShape.LINES), _Layout(DocumentShape.TEXT)
    if first == b"[":
        return [_Layout(DocumentShape.DOCUMENT), lines, text]
    if first != b"{":
        return [text, lines]
    documents = []
    for key in dict.fromkeys(known.list_key for known in formats if not known.text):
        stream.seek(0)
        if has_message_list(_chunks(stream, path), list_key=_quoted(key)):
            documents.append(_Layout(DocumentShape.DOCUMENT, key))
    return [*documents, lines, text]


def _sample(stream: BinaryIO, path: str | os.PathLike[str], layout: _Layout) -> Sample:
    stream.seek(0)
    if layout.shape is DocumentShape.TEXT:
        lines = islice(split_lines(_chunks(stream, path)), SAMPLE_LINES)
        return Sample(layout.shape, tuple(decode_text(line.data) for line in lines if line.data is not None))
    fields, records, read = {}, [], 0
    for item in _source(_chunks(stream, path), layout):
        try:
            if isinstance(item, Field):
                fields[str(decode_record(item.key))] = decode_record(item.data)
            elif isinstance(item, Raw):
                read = item.offset + item.size
                if item.data is not None and item.data.strip():
                    records.append(decode_record(item.data, complete=item.complete))
        except BadRecord:
            continue
        finally:
            done = len(records) >= SAMPLE_RECORDS or read > SAMPLE_BYTES
        if done:
            break
    return Sample(layout.shape, tuple(records), fields)


def _source(chunks: Iterable[bytes], layout: _Layout) -> Source:
    if layout.shape is DocumentShape.DOCUMENT:
        return read_document(chunks, list_key=_quoted(layout.list_key or "messages"))
    return split_lines(chunks)


def _quoted(key: str) -> bytes:
    return f'"{key}"'.encode()


def _chunks(stream: BinaryIO, path: str | os.PathLike[str]) -> Iterator[bytes]:
    try:
        yield from read_chunks(stream)
    except OSError as error:
        raise _unreadable(path, error) from error


def _open(path: str | os.PathLike[str]) -> BinaryIO:
    try:
        mode = Path(path).stat().st_mode
        if not stat.S_ISREG(mode):
            what = "a directory" if stat.S_ISDIR(mode) else "not a regular file"
            raise NotAFile(f"{path} is {what}; a transcript is a file.")
        return Path(path).open("rb")
    except FileNotFoundError as error:
        raise MissingFile(f"There is no file {path}.") from error
    except (OSError, ValueError) as error:
        if isinstance(error, TranscriptError):
            raise
        raise _unreadable(path, error) from error


def _unreadable(path: str | os.PathLike[str], error: Exception) -> UnreadableFile:
    reason = (error.strerror or "") if isinstance(error, OSError) else str(error)
    return UnreadableFile(f"{path} cannot be read ({(reason or type(error).__name__).lower()}).")


def _refusal(path: str | os.PathLike[str], head: bytes) -> UnknownFormat:
    """Describes what the file is instead of a transcript."""
    for magic, what in _MAGIC.items():
        if head.startswith(magic):
            return BinaryFile(f"{path} is {what}, not a transcript", FORMATS)
    beginning = head[:8192]
    if b"\x00" in beginning or beginning.decode("utf-8", "replace").count("\ufffd") * 10 > len(beginning):
        return BinaryFile(f"{path} is a binary file, not a transcript", FORMATS)
    what = "JSON, but no transcript that is known" if head.lstrip()[:1] in (b"{", b"[") else "text, but no transcript that is known"
    return UnknownFormat(f"{path} is {what}", FORMATS)
