"""Real sessions, where CONTINUITY_CORPUS names a folder of them (all `*.jsonl.xz` beneath it)."""

from __future__ import annotations

import lzma
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

LARGE = 60_000  # bytes as they are compressed; larger ones are for `make test-long`
FEW = 6
MANY = "CONTINUITY_CORPUS_SESSIONS"  # how many `make test-long` takes; all without it


def corpus() -> Sequence[Path]:
    folder = os.environ.get("CONTINUITY_CORPUS", "")
    return sorted(Path(folder).rglob("*.jsonl.xz")) if folder else []


def sample() -> Sequence[Path]:
    """A few that are not large: always the same ones of a corpus."""
    small = [path for path in corpus() if path.stat().st_size <= LARGE]
    return small[:: max(1, len(small) // FEW)][:FEW]


def as_many_as_asked() -> Sequence[Path]:
    """All sessions of a corpus, or so many of them as MANY says: spread over their sizes, the largest first, always the same ones."""
    asked = os.environ.get(MANY, "")
    if not asked:
        return corpus()
    if not asked.isdecimal() or not int(asked):
        raise pytest.UsageError(f"{MANY}: must be a whole number from 1, not “{asked[:40]}”")
    by_size = sorted(corpus(), key=lambda path: (-path.stat().st_size, path))
    count = min(int(asked), len(by_size))
    return [by_size[place * len(by_size) // count] for place in range(count)]


def unpacked(path: Path, folder: Path) -> Path:
    """The session as a file of its own."""
    target = folder / path.name.removesuffix(".xz")
    with lzma.open(path) as source:
        target.write_bytes(source.read())
    return target
