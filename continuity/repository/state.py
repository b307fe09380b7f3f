"""The state of a repository at one moment: plain values, which ranking and packs work on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from continuity.repository.identity import RepositoryIdentity


@dataclass(frozen=True, slots=True)
class Commit:
    """`at` in seconds since 1970 of the committer, `paths` what it changed against one parent: a merge stands here once for each."""

    id: str
    parents: tuple[str, ...]
    at: int
    author: str
    message: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RepositoryFile:
    """A file that is there. `blob` is its hash in the index, empty where git does not track it."""

    path: str
    blob: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True)
class RepositoryState:
    """`files` by path in order, `commits` from HEAD back. `head` is empty without a commit."""

    files: Mapping[str, RepositoryFile]
    commits: tuple[Commit, ...] = ()
    head: str = ""
    identity: RepositoryIdentity = field(default_factory=RepositoryIdentity)
