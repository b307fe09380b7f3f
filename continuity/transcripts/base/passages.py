"""Collects the lines of one passage of a text, up to a limit."""

from __future__ import annotations

MAX_PASSAGE = 32 * 2**20


class PassageLines:
    """Lines that belong together; beyond the limit of characters they are counted and left out."""

    def __init__(self, first_line: int = 0, limit: int = MAX_PASSAGE) -> None:
        self.first_line = first_line
        self.left_out = 0
        self._limit = limit
        self._size = 0
        self._lines: list[str] = []

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, line: str) -> None:
        self._size += len(line) + 1
        if self._size <= self._limit:
            self._lines.append(line)
        else:
            self.left_out += 1

    @property
    def lines(self) -> list[str]:
        return self._lines

    @property
    def text(self) -> str:
        return "\n".join(self._lines).strip("\n")

    @property
    def problem(self) -> str:
        """Describes what was left out, or nothing."""
        return f"{self.left_out:,} lines of the passage that begins here were not read" if self.left_out else ""
