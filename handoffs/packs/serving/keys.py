"""Keys of the three caches: everything that a value depends on is a part of its key, so that none can be found when any of it changed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, dataclass

# What of our own code a rendered text depends on: raised when a renderer changes.
RENDERING = 1


@dataclass(frozen=True, slots=True)
class FileKey:
    """A summary of one version of a file: `blob` is the hash of its contents."""

    repository: str
    path: str
    blob: str


@dataclass(frozen=True, slots=True)
class SearchKey:
    """Ranked files for a query at a commit; `scope` is what was looked at beside the commit: the changed files, the mode, and the files
    that earlier sessions name."""

    repository: str
    query: str
    commit: str
    scope: str


@dataclass(frozen=True, slots=True)
class PackKey:
    """A rendered pack. `lessons` is the digest of all that sessions taught, `work` that of what fails and of the tasks, `since` the commit
    that the last one showed."""

    repository: str
    fingerprint: str
    changed: str
    head: str
    provider: str
    mode: str
    profile: str
    lessons: str
    work: str
    since: str = ""
    rendering: int = RENDERING


def digest(key: FileKey | SearchKey | PackKey) -> str:
    """One text for a key; two keys that differ anywhere have two."""
    return digest_of([type(key).__name__, *astuple(key)])


def digest_of(parts: object) -> str:
    """Of plain values, told apart from any others: as JSON, where no two lists are written alike."""
    written = json.dumps(parts, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:48]
