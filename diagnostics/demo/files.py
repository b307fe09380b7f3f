"""Files of the demo's repositories: the same file is the same text whenever somebody reads it, until somebody changes it."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha1
from pathlib import Path, PurePosixPath
from string import Template
from typing import Any, NamedTuple

BLOCKS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("blocks.toml").read_text(encoding="utf-8"))
REPOSITORIES: Mapping[str, Sequence[str]] = BLOCKS["repositories"]
_TEMPLATES = {kind: [Template(block.strip("\n")) for block in blocks] for kind, blocks in BLOCKS["blocks"].items()}
_HEADS = {kind: Template(head.strip("\n")) for kind, head in BLOCKS["heads"].items()}
LINES = (90, 380)  # of a file, from and to
_KINDS = {".js": "ts", "": "cron"}
_NUMBER = re.compile(r"(?<=[= (])[1-9]\d?(?=$|[,):; ])")


def kind_of(path: str) -> str:
    place = PurePosixPath(path)
    return "test" if place.name.startswith("test_") else _KINDS.get(place.suffix, place.suffix[1:])


def blocks_of(kind: str, nouns: Sequence[str], rng: random.Random) -> Iterator[str]:
    """One block after the other, no two of one name."""
    things, names = sorted({*nouns, *BLOCKS["things"]}), set[tuple[str, str, str]]()
    while True:
        verb, (a, b) = rng.choice(BLOCKS["verbs"]), rng.sample(things, 2)
        if (verb, a, b) in names and len(names) < 8 * len(things):
            continue
        names.add((verb, a, b))
        yield rng.choice(_TEMPLATES[kind]).substitute(_words(verb, a, b, rng))


def _words(verb: str, a: str, b: str, rng: random.Random) -> Mapping[str, str | int]:
    words = {"v": verb, "V": verb.capitalize(), "a": a, "b": b, "A": a.capitalize(), "B": b.capitalize()}
    return {**words, "n": rng.randrange(2, 9), "m": rng.randrange(10, 60), "P": rng.choice(BLOCKS["places"])}


@lru_cache(maxsize=256)
def lines_of(path: str, repo: str) -> Sequence[str]:
    """The lines of a file before anybody changes it."""
    kind, rng = kind_of(path), random.Random(f"{repo}/{path}")
    named = re.findall(r"[a-z]{4,10}", PurePosixPath(path).stem.lower().replace("_", " "))
    nouns = [word.removesuffix("s") for word in named if word not in ("test", "init")][:2]
    a, b, *_ = (*nouns, "station", "reading")
    lines = _HEADS[kind].substitute(_words("read", a, b, rng)).splitlines()
    long, gap = rng.randrange(*LINES), [""] * (2 if kind in ("py", "test") else 0 if kind in ("xml", "cron") else 1)
    for block in blocks_of(kind, nouns, rng):
        lines += [*gap, *block.splitlines()]
        if len(lines) >= long or (kind == "cron" and len(lines) > 20):
            return tuple(lines)
    raise AssertionError


class CommittedChange(NamedTuple):
    id: str
    files: int
    added: int
    removed: int


@dataclass(slots=True)
class Tree:
    """A repository as it stands: what was changed in it, and what of that no commit holds yet."""

    repo: str
    head: str
    changed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    dirty: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    @classmethod
    def of(cls, repo: str, branch: str) -> Tree:
        return cls(repo, sha1(f"{repo}:{branch}".encode(), usedforsecurity=False).hexdigest())

    def copy(self) -> Tree:
        return replace(self, changed=dict(self.changed), dirty={path: list(each) for path, each in self.dirty.items()})

    def lines(self, path: str) -> Sequence[str]:
        return self.changed.get(path) or lines_of(path, self.repo)

    def change(self, path: str, rng: random.Random) -> tuple[str, str]:
        """A line that stands once in the file, and what stands there afterwards: another number, or a new piece before it."""
        lines = list(self.lines(path))
        at = [number for number, line in enumerate(lines) if number and line.strip() and lines.count(line) == 1]
        numbers = [number for number in at if _NUMBER.search(lines[number])]
        if numbers and rng.random() < 0.4:
            place = rng.choice(numbers)
            after = [_NUMBER.sub(lambda found: str(int(found[0]) + 5), lines[place])]
        else:
            place = rng.choice([number for number in at if not lines[number - 1] and lines[number][0] not in " }"] or at)
            written = "\n".join(lines)
            new = next(each for each in blocks_of(kind_of(path), (), rng) if each.split("\n", 1)[0] not in written).splitlines()
            after = [*new, *([""] * (2 if kind_of(path) in ("py", "test") else 1)), lines[place]]
        old = lines[place]
        lines[place : place + 1] = after
        self.changed[path] = tuple(lines)
        self.dirty.setdefault(path, []).append((old, "\n".join(after)))
        return old, "\n".join(after)

    def commit(self) -> CommittedChange:
        """Of everything that was changed since the last one."""
        added = sum(new.count("\n") + (old not in new) for changes in self.dirty.values() for old, new in changes)
        removed = sum(old not in new for changes in self.dirty.values() for old, new in changes)
        self.head = sha1(f"{self.head}{self.dirty}".encode(), usedforsecurity=False).hexdigest()
        made = CommittedChange(self.head[:7], len(self.dirty), added, removed)
        self.dirty.clear()
        return made
