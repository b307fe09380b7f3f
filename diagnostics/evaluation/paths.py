"""Checks that the files a session changed are named."""

from __future__ import annotations

from collections.abc import Iterable

COMPONENTS = 2


def distinct_ends(paths: Iterable[str]) -> list[str]:
    """The last two components of each path, in lower case, each once."""
    return sorted({"/".join(path.lower().strip("/").split("/")[-COMPONENTS:]) for path in paths})


def named(paths: Iterable[str], context: str) -> list[bool]:
    """For each distinct path whether the context names it, in its index too."""
    low = context.lower()
    return [end in low for end in distinct_ends(paths)]
