"""The release before this one, with which this one may work on one database while an installation is upgraded (blue-green).

Raise both when a release is made. Rules for migrations after these (docs/operations.md, Upgrading) are held by tests/upgrade.
"""

from __future__ import annotations

COMMIT = "a9a7bbfc"
LAST_MIGRATIONS = {"continuity": 30, "handoffs": 17, "diagnostics": 5}


def number_of(migration: str) -> int:
    """`0041_bus` is 41."""
    return int(migration.split("_")[0])
