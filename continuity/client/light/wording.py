"""Words of others and places on this machine, as people are told of them in a line. Hooks load it: no imports of weight."""

from __future__ import annotations

import os

# Signs that a cut may leave open.
PAIRS = (("“", "”"), ("‘", "’"))
OPEN_AND_CLOSE_ALIKE = ('"', "`")


def excerpt(text: str, most: int) -> str:
    """The text on one line of about so many characters, to stand within quotes: cut behind a word, with "…", and no quote left open."""
    line = " ".join(text.split())
    if len(line) > most:
        whole = line[:most].rpartition(" ")[0]
        line = (whole or line[: most - 1]).rstrip(" ,;:.(“‘") + "…"
    for begin, end in PAIRS:
        if line.rfind(begin) > line.rfind(end):
            line += end
    for sign in OPEN_AND_CLOSE_ALIKE:
        if line.count(sign) % 2:
            line += sign
    return line.replace("“", "‘").replace("”", "’")


def shown_path(path: str | os.PathLike[str]) -> str:
    """The path as a person writes it: `~` for the home folder. For eyes alone; files of others, and JSON, have it whole."""
    whole, home = os.fspath(path), os.path.expanduser("~").rstrip("/")
    if home and (whole == home or whole.startswith(f"{home}/")):
        return f"~{whole[len(home) :]}"
    return whole
