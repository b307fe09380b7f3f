"""The secrets that the embedded set-up makes for itself, in the data folder, readable by their owner only."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def keep(path: Path) -> tuple[str, bool]:
    """Return the secret kept in `path` and whether it was made just now (in one step: a crash leaves all or nothing)."""
    try:
        kept = path.read_text(encoding="utf-8").strip()
        if kept:
            return kept, False
    except FileNotFoundError:
        pass
    value = secrets.token_urlsafe(48)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(value + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    fresh.replace(path)
    return value, True
