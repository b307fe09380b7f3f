"""What each signal weighs: fitted (`manage.py fitpacks`), never set by hand."""

from __future__ import annotations

SQUARED = ("passage", "content", "path", "definitions", "message", "recent", "latest")

WEIGHTS: dict[str, float] = {}
