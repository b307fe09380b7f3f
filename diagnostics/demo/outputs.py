"""What commands print in the demo: checks, searches, differences, commits, logs. All of it agrees with the files as they stand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import islice

from diagnostics.demo.files import BLOCKS, REPOSITORIES, CommittedChange, Tree, blocks_of
from diagnostics.demo.themes import Theme

WORDS: Sequence[str] = [f"{thing}s" for thing in BLOCKS["things"]]
MOST_FOUND, LOGGED = 90, (60, 140)


def check(theme: Theme, passed: int, tree: Tree, rng: random.Random, error: str = "") -> str:
    """What the theme's check prints; the error and the count are what rules find in it."""
    seconds = f"{rng.randrange(80, 900) / 100:.2f}"
    if "pytest" not in theme.test:
        steps = [f"{number:3d} of {passed} ok" for number in range(1, passed + 1)]
        return "\n".join([*steps, error, f"1 failed, {passed} passed" if error else f"{passed} passed, {seconds} s"])
    path, total = theme.tests[0], passed + bool(error)
    said = [f"{'.' * passed}{'F' if error else ''}{' ' * (60 - total)}[100%]"]
    if error:
        named = [line for line in tree.lines(path) if line.startswith("def test_")]
        name = rng.choice(named)
        text = list(tree.lines(path))
        at = text.index(name)
        block = text[at : text.index("", at)]
        title = name.removeprefix("def ").split("(")[0]
        said += ["=" * 34 + " FAILURES " + "=" * 34, f"{title:_^78}", "", *(f"    {line}" for line in block), error, ""]
        said += [f"{path}:{at + len(block)}: {error.removeprefix('E ').split(':')[0].strip()}", f"FAILED {path}::{title}"]
        return "\n".join([*said, f"1 failed, {passed} passed in {seconds}s"])
    return "\n".join([*said, f"{passed} passed in {seconds}s"])


def search(tree: Tree, word: str, rng: random.Random) -> str:
    """Where a word stands, in some of the repository's files."""
    paths = sorted(rng.sample(list(REPOSITORIES[tree.repo]), 12))
    found = (f"{path}:{number}:{line}" for path in paths for number, line in enumerate(tree.lines(path), start=1) if word in line)
    return "\n".join(islice(found, MOST_FOUND))


def diff(tree: Tree) -> str:
    """What no commit holds yet."""
    said = []
    for path, changes in tree.dirty.items():
        lines = tree.lines(path)
        said += [f"diff --git a/{path} b/{path}", f"--- a/{path}", f"+++ b/{path}"]
        for old, new in changes:
            first = new.splitlines()[0]
            at = lines.index(first) if first in lines else 0
            kept = old in new.splitlines()
            added = new.count("\n") + (0 if kept else 1)
            said.append(f"@@ -{at + 1},1 +{at + 1},{added + kept} @@")
            said += [*([] if kept else [f"-{old}"]), *(f"+{line}" for line in new.splitlines()[:added]), *([f" {old}"] if kept else [])]
    return "\n".join(said)


def committed(branch: str, subject: str, made: CommittedChange) -> str:
    counted = [_plural(made.files, "file") + " changed"]
    counted += [f"{_plural(made.added, 'insertion')}(+)"] if made.added else []
    counted += [f"{_plural(made.removed, 'deletion')}(-)"] if made.removed else []
    return f"[{branch} {made.id}] {subject}\n {', '.join(counted)}"


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def journal(until: datetime, rng: random.Random) -> str:
    """The log of the hour before."""
    lines, at = [], until - timedelta(hours=1)
    for line in islice(blocks_of("log", (), rng), rng.randrange(*LOGGED)):
        at += timedelta(seconds=rng.randrange(1, 40))
        lines.append(f"{at:%b %d %H:%M:%S} esbjerg-1 {line}")
    return "\n".join(lines)
