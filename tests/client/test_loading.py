"""What a recorder loads before its first line is read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
# Packages that a recorder has no use for, each of which takes longer to load than all that it needs.
OTHERS = ("continuity.knowledge", "continuity.segments", "continuity.extraction", "continuity.secrets", "handoffs", "django")


@pytest.mark.parametrize(
    "module",
    [
        "continuity.client.recording.session_recorder",
        "continuity.client.commands.sessions.watch",
        "continuity.client.commands.sessions.push",
    ],
)
def test_it_works(module: str) -> None:
    told = f"import sys; sys.path.insert(0, {str(PROJECT)!r}); import {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-IS", "-c", told], text=True, capture_output=True, check=True).stdout.split()
    assert module in loaded
    assert [name for name in loaded if name.startswith(OTHERS)] == []
