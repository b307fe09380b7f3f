"""How a tool calls this client: by a command with its whole path, since tools start hooks with a PATH of their own."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

CLIENT = Path(__file__).resolve().parent.parent
PROGRAM = "continuity"


def command(name: str = "hook") -> str:
    """The launcher of this client, which stays where it is when the client is renewed; else this Python with our file."""
    return " ".join([*map(shlex.quote, words()), name])


def words() -> list[str]:
    launcher = unpacked_launcher() or Path(sys.executable).with_name(PROGRAM)
    return [str(launcher)] if launcher.exists() else [sys.executable, "-IS", str(CLIENT / "__main__.py")]


def unpacked_launcher() -> Path | None:
    """The launcher that `continuity.pyz` put beside what it unpacked (distribution/starting.py); None where this client was not."""
    folder = CLIENT.parent.parent.parent  # …/client/BUILD/continuity/client
    launcher = folder.parent / "bin" / PROGRAM
    return launcher if folder.name == "client" and launcher.exists() else None
