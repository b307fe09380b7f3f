"""Files of earlier sessions, plain or packed with xz, as their messages up to a moment."""

from __future__ import annotations

import lzma
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from continuity.transcripts import TranscriptError, open_transcript
from continuity.transcripts.base.model import Abandoned, Message

FILES = 400
PACKED = ".xz"
UNPACKED_BYTES = 64_000_000  # of one file: what is longer is left unread from there on
CHUNK = 1 << 20


def session_files(folder: Path) -> tuple[Path, ...]:
    """The regular files of a folder by name, the last `FILES` of them, without names that are not printable: references hold them."""
    shown = (path for path in folder.iterdir() if path.name.isprintable() and not path.name.startswith("."))
    return tuple(sorted(path for path in shown if path.is_file())[-FILES:])


def messages_until(path: Path, until: float | None) -> list[tuple[int, Message]]:
    """Those of the main conversation that are no later than `until` (seconds since 1970) and were not rewound, with their numbers from 1;
    none of a file that is no session. A message without a time is as old as the one before it."""
    try:
        with _unpacked(path) as file, open_transcript(file) as transcript:
            entries = list(transcript)
    except (TranscriptError, OSError, lzma.LZMAError, EOFError):
        return []
    gone = {key for entry in entries if isinstance(entry, Abandoned) for key in entry.external_ids}
    kept = []
    for seq, entry in enumerate((entry for entry in entries if isinstance(entry, Message)), 1):
        if until is not None and entry.at is not None and seconds(entry.at) > until:
            break
        if not entry.agent and entry.external_id not in gone:
            kept.append((seq, entry))
    return kept


def seconds(at: datetime) -> float:
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


@contextmanager
def _unpacked(path: Path) -> Iterator[Path]:
    if path.suffix != PACKED:
        yield path
        return
    with tempfile.NamedTemporaryFile(suffix=path.with_suffix("").suffix) as plain:
        with lzma.open(path) as packed:
            left = UNPACKED_BYTES
            while left > 0 and (piece := packed.read(CHUNK)):
                plain.write(piece)
                left -= len(piece)
        plain.flush()
        yield Path(plain.name)
