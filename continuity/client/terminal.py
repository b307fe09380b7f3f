"""Output of the client: readable plain text, JSON where asked, colours on a terminal only."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any

# Control characters but tab and line end; an escape only where it begins a colour; marks that turn the direction of writing round, and
# what nobody sees.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\[[0-9;]*m)"
    r"|[\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e001f\U000e0100-\U000e01ef]"
    r"|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]+"
)

CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


def colour(text: str, name: str) -> str:
    """The text in a colour, where standard output is a terminal and NO_COLOR is not set."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{CODES[name]}m{text}\x1b[0m"


def show(text: str = "") -> None:
    sys.stdout.write(harmless(text) + "\n")
    sys.stdout.flush()


def as_argument(directive: str) -> str:
    """The directive as a program takes it in one word: `claude "$(continuity resume --print)"`.

    It begins with dashes, which programs read as an option; behind an empty line they do not.
    """
    return f"\n{directive}"


def show_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def note(text: str) -> None:
    """A line for a person, beside the output."""
    sys.stderr.write(f"continuity: {harmless(text)}\n")
    sys.stderr.flush()


def progress(text: str) -> None:
    """Replaces the progress line; nothing where standard error is no terminal. The empty text removes it."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def harmless(text: str) -> str:
    """The text without what moves a terminal's cursor or changes its state: transcripts are data, also to a terminal."""
    return _CONTROL.sub("", text)


def confirm(question: str) -> bool:
    """A person's yes; no where nobody can be asked."""
    if not sys.stdin.isatty():
        return False
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def table(rows: list[tuple[str, ...]]) -> str:
    """Columns as wide as their longest cell, but the last."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)] if rows else []
    return "\n".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip() for row in rows)
