"""A context as a reader takes it in: lines of bounded length, and each line with its neighbours."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from diagnostics.evaluation.index import readable

LINE_CHARS = 200
NEIGHBOURS = 2


@dataclass(frozen=True, slots=True)
class Units:
    """The lines of a context in lower case, its index capped, wrapped so that layout changes nothing; `windows[i]` is line i
    with the two lines on either side."""

    lines: tuple[str, ...]
    windows: tuple[str, ...]

    @classmethod
    def of(cls, context: str) -> Units:
        told = readable(context).lower().splitlines()
        lines = tuple(piece for line in told for piece in textwrap.wrap(line, LINE_CHARS) or [""])
        return cls(lines, tuple(_around(lines, number, NEIGHBOURS) for number in range(len(lines))))

    def around(self, number: int) -> str:
        """Line `number` with the one before and the one after it."""
        return _around(self.lines, number, 1)


def _around(lines: tuple[str, ...], number: int, neighbours: int) -> str:
    return " \n ".join(lines[max(0, number - neighbours) : number + neighbours + 1])
