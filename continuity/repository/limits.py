"""How much of a repository is read at most: whatever is in it, reading ends."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """`seconds` for one command of git; the rest are counts, and bytes of UTF-8. `read_files` and `read_bytes` bound whose contents are
    read, which are those that rank best without them."""

    seconds: float = 10.0
    output_bytes: int = 48_000_000
    files: int = 100_000
    untracked: int = 2_000
    path_bytes: int = 1_000
    commits: int = 1_000
    commit_files: int = 400
    message_characters: int = 4_000
    file_bytes: int = 400_000
    read_files: int = 2_000
    read_bytes: int = 24_000_000
    folders: int = 20_000


DEFAULT = Limits()
