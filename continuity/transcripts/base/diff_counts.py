"""Counts the lines that a unified diff adds and removes."""

from __future__ import annotations

from typing import Any

LONGEST = 2_000_000


def changed_lines(diff: str) -> dict[str, Any]:
    """`linesAdded` and `linesRemoved` of a diff in characters of at most 2 million; empty where it is none."""
    if "\n@@" not in diff[:10_000] and not diff.startswith("@@"):
        return {}
    lines = diff[:LONGEST].splitlines()
    added = sum(line[:1] == "+" and line[:4] != "+++ " for line in lines)
    return {"linesAdded": added, "linesRemoved": sum(line[:1] == "-" and line[:4] != "--- " for line in lines)}
