"""The output of commands for programs to read."""

from __future__ import annotations

import os
import sys


def print_text(text: str) -> None:
    """Write to standard output as UTF-8 whatever the locale; a reader that has gone away is no error."""
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # What is left in the buffer would fail again when Python closes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
