"""The demo's repository: files as they stand, what no commit holds yet, and what git says of it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha1
from typing import NamedTuple

FIRST = ("0be2c77 Store recipients per station", "7aa41d5 Read gauges every five minutes", "2f0f6c1 First version")


class CommittedChange(NamedTuple):
    id: str
    subject: str

    def __str__(self) -> str:
        return f"{self.id[:7]} {self.subject}"


@dataclass(slots=True)
class Tree:
    """A branch: its files as they stand, as the last commit has them, and its commits, the newest first."""

    branch: str
    files: dict[str, str]
    committed: Mapping[str, str]
    log: list[CommittedChange] = field(default_factory=list)

    @classmethod
    def of(cls, branch: str, files: Mapping[str, str], log: Sequence[str]) -> Tree:
        return cls(branch, dict(files), dict(files), [CommittedChange(*line.split(" ", 1)) for line in log])

    def copy(self) -> Tree:
        return Tree(self.branch, dict(self.files), self.committed, list(self.log))

    @property
    def head(self) -> str:
        return self.log[0].id

    def edit(self, path: str, old: str, new: str) -> None:
        """Raises ValueError where the old text does not stand there exactly once."""
        if self.files[path].count(old) != 1:
            raise ValueError(f"{path} has {self.files[path].count(old)} times: {old}")
        self.files[path] = self.files[path].replace(old, new)

    @property
    def dirty(self) -> Sequence[str]:
        return sorted(path for path, text in self.files.items() if self.committed.get(path) != text)

    def commit(self, subject: str) -> str:
        """Commits everything; what git says of it."""
        changed, new = self.dirty, [path for path in self.dirty if path not in self.committed]
        lines = [line for path in changed for line in self._hunks(path)]
        added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
        self.log.insert(0, CommittedChange(_id(f"{self.head}{subject}{lines}"), subject))
        self.committed = dict(self.files)
        counted = [_plural(len(changed), "file") + " changed"]
        counted += [f"{_plural(added, 'insertion')}(+)"] if added else []
        counted += [f"{_plural(removed, 'deletion')}(-)"] if removed else []
        return "\n".join(
            [f"[{self.branch} {self.head[:7]}] {subject}", f" {', '.join(counted)}", *(f" create mode 100644 {path}" for path in new)]
        )

    def diff(self, paths: Sequence[str] = ()) -> str:
        """What no commit holds yet, but for files that git does not know."""
        return "\n".join(
            line for path in self.dirty if path in self.committed and path.startswith(tuple(paths) or "") for line in self._diff(path)
        )

    def _diff(self, path: str) -> Iterator[str]:
        before, after = (_id(text)[:7] for text in (self.committed[path], self.files[path]))
        yield from (f"diff --git a/{path} b/{path}", f"index {before}..{after} 100644", f"--- a/{path}", f"+++ b/{path}")
        yield from self._hunks(path)

    def _hunks(self, path: str) -> Sequence[str]:
        before, after = self.committed.get(path, "").splitlines(), self.files[path].splitlines()
        lines = list(difflib.unified_diff(before, after, lineterm=""))[2:]
        return [f"{line}{_heading(before, line)}" if line.startswith("@@ ") else line for line in lines]

    def status(self) -> str:
        tracked = [f" M {path}" for path in self.dirty if path in self.committed]
        return "\n".join([*tracked, *(f"?? {path}" for path in self.dirty if path not in self.committed)])


def _heading(lines: Sequence[str], hunk: str) -> str:
    """What a hunk lies in, as git names it: the nearest line above that begins with a letter."""
    first = int(hunk[4:].split(" ")[0].split(",")[0])
    return next((f" {line[:80]}" for line in reversed(lines[: max(first - 1, 0)]) if line[:1].isalpha()), "")


def _id(text: str) -> str:
    return sha1(text.encode(), usedforsecurity=False).hexdigest()


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
