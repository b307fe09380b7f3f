"""Titles that are cut, alike by the client and the server."""

from __future__ import annotations


def cut(text: str, longest: int) -> str:
    """The words on one line of at most so many characters: where some are left out it ends behind a word, with "…"."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    return f"{line[:longest].rpartition(' ')[0] or line[: longest - 1]}…"
