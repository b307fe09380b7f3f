"""The context window of a session as this machine knows it: set here, told to the status line, or written into the session."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from continuity.client.hooks.window import window_path
from continuity.client.light import files
from continuity.transcripts.base.model import Report
from continuity.windows import WindowSource, words
from continuity.windows.evidence import LARGEST

SETTING = "CONTINUITY_WINDOW"


def known_window(path: Path, report: Report) -> dict[str, Any]:
    """The window in the API's fields, the best source first; empty where nothing is known."""
    found = (
        (words.read(os.environ.get(SETTING, "")), WindowSource.CLIENT),
        (files.read_object(window_path(str(path))).get("tokens"), WindowSource.STATUSLINE),
        (report.max_context_tokens, WindowSource.TRANSCRIPT),
    )
    for tokens, source in found:
        if isinstance(tokens, int) and 0 < tokens <= LARGEST:
            return {"max_context_tokens": tokens, "window_source": source.value}
    return {}
