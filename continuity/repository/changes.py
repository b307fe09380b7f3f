"""Changes since a commit: in later commits, and in the work tree, which is hashed here since git would run filters on it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from continuity.repository.git import Git
from continuity.repository.limits import DEFAULT, Limits
from continuity.repository.state import RepositoryFile, RepositoryState
from continuity.repository.state_reader import read_bytes, read_text

CHANGES = 60  # files
HASHED_FILES, HASHED_BYTES = 5_000, 64_000_000
_REVISION = re.compile(r"[A-Za-z0-9_][\w./^~@{}-]{0,199}\Z")
_ABSENT = re.compile(r"0+\Z")
_GONE = "D"
_POINTER = "version https://git-lfs"


@dataclass(frozen=True, slots=True)
class FileChange:
    """`before` and `after` are texts; `before` is None for a new file. What is gone is only counted."""

    path: str
    before: str | None
    after: str


@dataclass(frozen=True, slots=True)
class Changes:
    files: tuple[FileChange, ...] = ()
    gone: int = 0
    subjects: tuple[str, ...] = ()


def changes(root: Path, state: RepositoryState, since: str = "", limits: Limits = DEFAULT) -> Changes:
    """Since the commit that `since` names, else since HEAD; nothing without a commit. Untracked files count as new."""
    if not state.head:
        return Changes()
    git = Git(root, limits)
    named = git.line("rev-parse", "--verify", "-q", f"{since}^{{commit}}") if _REVISION.match(since) else ""
    start = named or state.head
    old, gone = _recorded(git, start)
    old |= {path: blob for path, blob in _in_work_tree(root, state) if path not in old}
    present = [path for path in sorted(old) if path in state.files][:CHANGES]
    texts = _texts(git, [old[path] for path in present if old[path]])
    found = []
    for path in present:
        after, before = read_text(root, path, limits), texts.get(old[path])
        if after is not None and after != before and not (before or "").startswith(_POINTER) and not (old[path] and before is None):
            found.append(FileChange(path, before, after))
    later = frozenset(git.read("rev-list", f"--max-count={limits.commits}", f"{start}..HEAD", "--").decode("ascii", "replace").split())
    subjects = dict.fromkeys(commit.message.partition("\n")[0] for commit in state.commits if commit.id in later)
    gone |= {_name(raw) for raw in git.read("ls-files", "-z", "--deleted").split(b"\0") if raw}
    return Changes(tuple(found), len(gone - state.files.keys()), tuple(subjects))


def _recorded(git: Git, start: str) -> tuple[dict[str, str], set[str]]:
    """Paths that later commits and the index changed, with the blobs that they were (an empty one of a new file); and which are gone."""
    fields = git.read("diff-index", "--cached", "-r", "-z", "--no-renames", "--no-ext-diff", start, "--").split(b"\0")
    found, gone = {}, set()
    for told, raw in zip(fields[::2], fields[1::2], strict=False):
        _, _, blob, _, status = told.decode("ascii", "replace").split(" ")
        found[_name(raw)] = "" if _ABSENT.match(blob) else blob
        if status == _GONE:
            gone.add(_name(raw))
    return found, gone


def _name(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _in_work_tree(root: Path, state: RepositoryState) -> Iterator[tuple[str, str]]:
    """Paths whose contents are not those of the index, with the blobs that they were."""
    left = HASHED_BYTES
    for file in list(state.files.values())[:HASHED_FILES]:
        if file.blob and file.size > left:
            continue
        left -= file.size if file.blob else 0
        if not file.blob or not _is(root, file):
            yield file.path, file.blob


def _is(root: Path, file: RepositoryFile) -> bool:
    """Whether a file's contents have the hash of the index, as they are or with the line ends that git keeps."""
    raw, blob = read_bytes(root, file.path, file.size + 1), file.blob
    if raw is None:
        return True
    return blob in (_hash(raw, blob), _hash(raw.replace(b"\r\n", b"\n"), blob))


def _hash(raw: bytes, like: str) -> str:
    # Git's own name for contents, no protection of anything.
    made = hashlib.sha256() if len(like) == 64 else hashlib.sha1(usedforsecurity=False)
    made.update(b"blob %d\0" % len(raw))
    made.update(raw)
    return made.hexdigest()


def _texts(git: Git, blobs: list[str]) -> Mapping[str, str]:
    """The texts of blobs that are not too large, are there, and are texts."""
    sizes = git.read("cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)", lines=blobs).decode("ascii", "replace")
    asked = []
    for line in sizes.split("\n"):
        fields = line.split(" ")
        if len(fields) == 3 and fields[1] == "blob" and int(fields[2]) <= git.limits.file_bytes:
            asked.append((fields[0], int(fields[2])))
    told, at, texts = git.read("cat-file", "--batch", lines=[blob for blob, _ in asked]), 0, {}
    for blob, size in asked:
        begin = told.find(b"\n", at) + 1
        raw, at = told[begin : begin + size], begin + size + 1
        if begin and len(raw) == size and b"\0" not in raw[:8_192]:
            texts[blob] = raw.decode("utf-8", "replace")
    return texts
