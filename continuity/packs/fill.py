"""Text within a number of bytes: whole blocks, the first that fit, those that don't are skipped and the next tried."""

from __future__ import annotations

from collections.abc import Iterable

from continuity.repository.words import cut

ANCHOR, CONTEXT, DELTA, WHOLE = 4_096, 16_384, 8_192, 24_576  # bytes
LINE = 240  # characters of one line


def fill(title: str, blocks: Iterable[str], budget: int) -> str:
    """`title` and then blocks, each ended by a line break; nothing where no block fits."""
    pieces, left = [title + "\n"], budget - len(title.encode()) - 1
    for block in blocks:
        size = len(block.encode("utf-8", "replace")) + 1
        if size <= left:
            pieces.append(block + "\n")
            left -= size
    return "".join(pieces) if len(pieces) > 1 else ""


def plain(text: str, longest: int = LINE) -> str:
    """One line without what steers a terminal; text of others stays what it is, data in a line of ours."""
    words = " ".join("".join(c if c.isprintable() else " " for c in cut(text, 4 * longest)).split())
    return words if len(words) <= longest else cut(words, longest - 1).rstrip() + "…"
