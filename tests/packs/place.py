"""A small repository to read, made with git for the test."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import IO


def git(tree: Path, *arguments: str, given: IO[bytes] | None = None) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env |= {
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    command = ["git", "-c", "protocol.file.allow=always", *arguments]
    return subprocess.run(command, cwd=tree, env=env, check=True, capture_output=True, text=True, stdin=given).stdout


def write(tree: Path, **files: str) -> None:
    """Files by name; `__` stands for a slash, `_dot_` for a dot."""
    for name, text in files.items():
        path = tree / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def commit(tree: Path, message: str) -> str:
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", message)
    return git(tree, "rev-parse", "HEAD").strip()


def repository(tree: Path) -> Path:
    """Two commits: a parser with its test, then a printer."""
    tree.mkdir(parents=True, exist_ok=True)
    git(tree, "init", "-q", "-b", "main")
    write(
        tree,
        src__parser_dot_py="def parse_header(line):\n    return line\n",
        tests__test_parser_dot_py="def test_parse_header():\n    pass\n",
    )
    write(tree, CLAUDE_dot_md="# House\n\n- Never edit generated files.\n- Tea is green.\n", _dot_gitignore="secret.txt\n")
    commit(tree, "Parse headers of mail")
    write(tree, src__printer_dot_py="class Printer:\n    def show(self):\n        pass\n")
    commit(tree, "Print pages in colour")
    return tree


def session(folder, name="one", at="2025-12-01T00:00:00Z", said="Never change src/parser.py without its test, please."):
    """A session of two messages that edits the parser."""
    folder.mkdir(exist_ok=True)
    common = {"sessionId": name, "timestamp": at, "cwd": "/home/me/r", "version": "1"}
    edit = {
        "type": "tool_use",
        "id": "t1",
        "name": "Edit",
        "input": {"file_path": "/home/me/r/src/parser.py", "old_string": "a", "new_string": "b"},
    }
    lines = [
        {"type": "user", "uuid": "1", "parentUuid": None, "message": {"role": "user", "content": said}, **common},
        {"type": "assistant", "uuid": "2", "parentUuid": "1", "message": {"id": "m", "role": "assistant", "content": [edit]}, **common},
    ]
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def fingerprint(tree: Path) -> str:
    """All bytes below a folder, git's own included, and when each file was last changed."""
    made = hashlib.sha256()
    for path in sorted(tree.rglob("*")):
        told = path.lstat()
        made.update(f"{path.relative_to(tree)} {told.st_mode} {told.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
        if path.is_file() and not path.is_symlink():
            made.update(path.read_bytes())
    return made.hexdigest()
