"""Decisions that people accepted, as files of a folder: on demand, and nothing of ours ever commits them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from continuity.client import places

NAME = 60  # characters
RECORD = "adr"
_NOT_A_WORD = re.compile(r"[^a-z0-9]+")


def export(artifacts: Sequence[Mapping[str, Any]], folder: Path) -> list[Path]:
    """Writes each accepted decision that has no file yet, the oldest first; what is there stays as it is. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    there = {path.name.partition("-")[0] for path in folder.iterdir()}
    accepted = [each for each in artifacts if each["kind"] == RECORD and each["status"] == "accepted"]
    written = []
    for artifact in sorted(accepted, key=lambda each: (str(each["decided_at"]), str(each["id"]))):
        number = str(artifact["id"])[:8]
        if number not in there:
            path = folder / f"{number}-{_slug(str(artifact['title']))}.md"
            places.write(path, record(artifact))
            written.append(path)
    return written


def record(artifact: Mapping[str, Any]) -> str:
    """The decision in words, and each sentence with its message."""
    said = "\n".join(f"- {each['text']} [{str(artifact['conversation_id'])[:8]}#m{each['seq']}]" for each in artifact["sentences"])
    words = artifact["text"] or (artifact["sentences"][0]["text"] if artifact["sentences"] else artifact["title"])
    files = "".join(f"- `{path}`\n" for path in artifact["files"])
    about = f"\n## Files\n\n{files}" if files else ""
    head = f"# {artifact['title']}\n\n{str(artifact['decided_at'])[:10]} · accepted\n"
    return f"{head}\n## Decision\n\n{words}\n\n## What was said\n\n{said}\n{about}"


def _slug(title: str) -> str:
    return _NOT_A_WORD.sub("-", title.lower()).strip("-")[:NAME].strip("-") or "decision"
