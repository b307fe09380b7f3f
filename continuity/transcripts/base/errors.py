"""Errors of a transcript as a whole, and of one record."""

from __future__ import annotations

from collections.abc import Iterable


class TranscriptError(ValueError):
    """The transcript cannot be read; the message is one sentence that names the file and the reason."""


class MissingFile(TranscriptError):
    """There is no file at the path."""


class NotAFile(TranscriptError):
    """The path is a directory, a pipe or a device."""


class EmptyFile(TranscriptError):
    """The file holds nothing, or nothing but white space."""


class UnreadableFile(TranscriptError):
    """The operating system refuses to read the file."""


class UnknownFormat(TranscriptError):
    """The content is of no known transcript format, or the format asked for does not exist."""

    def __init__(self, subject: str, known: Iterable[str]) -> None:
        super().__init__(f"{subject}; the known formats are {', '.join(known)}.")


class BinaryFile(UnknownFormat):
    """The file is not text."""


class BadRecord(Exception):
    """One record cannot be read; the reason continues a sentence that begins with the record's line."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
