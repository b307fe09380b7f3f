"""The web process loads while the database is being prepared, and serves only when that is done."""

from __future__ import annotations

import os
import time
from pathlib import Path

VARIABLE = "CONTINUITY_GATE"


def at(data_dir: Path) -> Path:
    return data_dir / "prepared"


def close(data_dir: Path) -> None:
    at(data_dir).unlink(missing_ok=True)


def open_for(data_dir: Path) -> None:
    at(data_dir).touch()


def wait() -> None:
    """Wait until the supervisor opens the gate; without a supervisor there is none."""
    named = os.environ.get(VARIABLE)
    while named and not Path(named).exists():
        time.sleep(0.02)
