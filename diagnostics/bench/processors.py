"""The processor's time of the programs that serve here, from the run file of who keeps them (Linux)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings

# What takes heartbeats and looks for them; workers and their schedule have no part in it.
SERVING = ("web", "monitor", "valkey", "postgres")
_TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")


def serving() -> dict[str, int]:
    """Their process ids, by name. Raises FileNotFoundError where nobody keeps them here, KeyError where one is kept elsewhere."""
    named = os.environ.get("CONTINUITY_RUN_FILE", "")
    told = json.loads(Path(named or settings.CONTINUITY_DATA_DIR / "run.json").read_text(encoding="utf-8"))
    return {name: int(told["processes"][name]["pid"]) for name in SERVING}


def spent_ms(pids: Mapping[str, int]) -> float:
    """Milliseconds of a processor that they, their children, and those that these waited for, took since they began."""
    return sum(_of_tree(pid) for pid in pids.values())


def _of_tree(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        children = [int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()]
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) * _TICK_MS + sum(map(_of_tree, children))
