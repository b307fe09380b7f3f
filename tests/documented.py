"""Commands of the documentation with the output that stands there, as tests run them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

WHATEVER = "…"


def written(document: Path) -> Iterator[tuple[str, str, str]]:
    """Who (the word after `console`), what, and the output, of each command in the document, in order."""
    for block in re.finditer(r"^```console (\w+)\n(.*?)^```", document.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        for command, output in re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", block[2], re.MULTILINE):
            yield block[1], command, output


def as_written(output: str) -> re.Pattern[str]:
    """What fits the output, in which `…` stands for anything."""
    return re.compile(".*?".join(map(re.escape, output.split(WHATEVER))), re.DOTALL)
