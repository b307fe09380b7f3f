"""A window in words, and read from words. Pure."""

from __future__ import annotations

import re

from continuity.windows.evidence import LARGEST, WindowSource

# From where a window is known, after "the window".
WORDS = {
    WindowSource.SETTING: "was set for this conversation",
    WindowSource.TEAM: "was set by the team for this model",
    WindowSource.CLIENT: "was set where the session is recorded (CONTINUITY_WINDOW)",
    WindowSource.STATUSLINE: "is as the tool tells its status line",
    WindowSource.TRANSCRIPT: "is as the tool wrote it into its session",
    WindowSource.USAGE: "follows from usage that does not fit into a smaller one of this model",
    WindowSource.MODEL: "is the one that this model is published with",
}

_GIVEN = re.compile(r"(\d{1,12})(?:\.(\d{1,3}))?\s*([km]?)(?:\s*tokens)?", re.IGNORECASE)
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000}


def read(text: str) -> int | None:
    """Tokens of `1M`, `200k`, `1.05M`, `262144` or `262,144`; None where that is no window."""
    found = _GIVEN.fullmatch(text.replace(",", "").replace("_", "").strip())
    if found is None:
        return None
    tokens = float(f"{found[1]}.{found[2] or 0}") * _UNITS[found[3].lower()]
    return int(tokens) if tokens.is_integer() and 0 < tokens <= LARGEST else None
