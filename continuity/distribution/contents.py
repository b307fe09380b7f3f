"""Files of the client, and what it says of itself: the client and the pure packages that it needs, and nothing of the server."""

from __future__ import annotations

from pathlib import Path

from continuity import VERSION

NAME = "continuity-client"
SUMMARY = "Records the sessions of AI agents, hands them off, and resumes them: the client of Continuity"
LICENSE = "Apache-2.0"
PYTHON = (3, 11)
PROJECT = Path(__file__).resolve().parent.parent.parent
# A folder stands for every module within it, and the figures that they read.
KINDS = (".py", ".json", ".js")
CONTENTS = (
    "continuity/__init__.py",
    "continuity/client",
    "continuity/core/__init__.py",
    "continuity/core/isolation.py",
    "continuity/core/note_parts.py",
    "continuity/releases.py",
    "continuity/events/__init__.py",
    "continuity/events/processed_registry.py",
    "continuity/events/signatures.py",
    "continuity/events/topics.py",
    "continuity/packs",
    "continuity/repository",
    "continuity/shared_state",
    "continuity/storage/__init__.py",
    "continuity/storage/state_digest.py",
    "continuity/transcripts",
    "continuity/usage/__init__.py",
    "continuity/usage/short_form.py",
    "continuity/usage/token_ledger.py",
    "continuity/windows",
)


def files() -> dict[str, bytes]:
    """The client's files by their paths within it, in order."""
    found = {}
    for name in CONTENTS:
        place = PROJECT / name
        for path in sorted(each for each in place.rglob("*") if each.suffix in KINDS) if place.is_dir() else (place,):
            found[path.relative_to(PROJECT).as_posix()] = path.read_bytes()
    return found


def license_text() -> bytes:
    return (PROJECT / "LICENSE").read_bytes()


def version() -> str:
    return VERSION
