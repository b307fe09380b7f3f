"""Checks uploads: not too large, and no file that is plainly something else than text."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from continuity.core.errors import Invalid, TooLarge

# How files begin that people mistake for a transcript.
OTHER_KINDS = {
    b"PK\x03\x04": "a ZIP archive; unpack it first",
    b"\x1f\x8b": "compressed with gzip; unpack it first",
    b"\x28\xb5\x2f\xfd": "compressed with zstd; unpack it first",
    b"BZh": "compressed with bzip2; unpack it first",
    b"\xfd7zXZ\x00": "compressed with xz; unpack it first",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive; unpack it first",
    b"%PDF-": "a PDF",
    b"\x89PNG\r\n": "an image",
    b"\xff\xd8\xff": "an image",
    b"GIF8": "an image",
    b"SQLite format 3\x00": "a database; export the session as JSON",
    b"\x7fELF": "a program",
    b"MZ\x90\x00": "a program",
}


def check(upload: UploadedFile[Any]) -> None:
    """Raises TooLarge, or Invalid where the file begins as no text does."""
    limit = settings.CONTINUITY_MAX_UPLOAD_BYTES
    if (upload.size or 0) > limit:
        raise TooLarge(noun="The file", size=f"{upload.size:,} bytes", limit=f"{limit:,} bytes")
    upload.seek(0)
    beginning = upload.read(16)
    upload.seek(0)
    for mark, kind in OTHER_KINDS.items():
        if beginning.startswith(mark):
            raise Invalid(f"The file is no transcript: it is {kind}.", field="file")
