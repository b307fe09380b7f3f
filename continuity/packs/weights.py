"""The weight of each signal: fitted (`manage.py fitpacks --write`), never set by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

# Signals whose square is one too: the best match is worth more than two half ones.
SQUARED = ("passage", "content", "path", "definitions", "message", "recent", "latest")
FILE = Path(__file__).with_name("weights.json")
WEIGHTS: Mapping[str, float] = json.loads(FILE.read_text(encoding="utf-8"))
