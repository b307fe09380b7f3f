"""A made repository of any size, in a folder of the measurement's own, with commits that touch neighbouring files together."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

FOLDER = 25  # files
COMMITS = 40
_BODY = '''"""Keeps {name} of the ledger."""


class {kind}:
    def load_{name}(self, path):
        return open_{other}(path)

    def store_{name}(self, row):
        return row


def open_{name}(path):
    return {kind}().load_{name}(path)
'''


def path_of(number: int) -> str:
    return f"src/part_{number // FOLDER:04}/item_{number:05}.py"


def make(root: Path, count: int) -> None:
    """A repository of `count` files with a few commits."""
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    for number in range(count):
        path = root / path_of(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        name, other = f"entry_{number}", f"entry_{max(0, number - 1)}"
        path.write_text(_BODY.format(name=name, other=other, kind=f"Entry{number}"), encoding="utf-8")
    commit(root, "Begin")
    for number in range(min(COMMITS, count // 2)):
        for each in (2 * number, 2 * number + 1):
            with (root / path_of(each)).open("a", encoding="utf-8") as stream:
                stream.write(f"\n\ndef check_{each}_{number}():\n    return {number}\n")
        commit(root, f"Check entry {2 * number}")


def commit(root: Path, message: str, *, empty: bool = False) -> None:
    """With `empty` also where nothing changed."""
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message, *(["--allow-empty"] if empty else []))


def git(root: Path, *arguments: str) -> None:
    """A command that writes: in a repository that was made for the measurement."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    author = {"GIT_AUTHOR_NAME": "bench", "GIT_AUTHOR_EMAIL": "bench@example.org"}
    committer = {"GIT_COMMITTER_NAME": "bench", "GIT_COMMITTER_EMAIL": "bench@example.org", "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", "-c", "gc.auto=0", *arguments], cwd=root, env={**env, **author, **committer}, check=True, capture_output=True)
