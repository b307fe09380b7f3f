"""How the shell tools of GitHub Copilot's command line say that a command ended, or still runs."""

from __future__ import annotations

import re
from typing import Any

from continuity.transcripts.base.exit_codes import stated_exit_code
from continuity.transcripts.base.fields import whole

_ENDED = re.compile(r"\n?<(?:shellId: (?P<shell>[\w-]{1,40}) completed|exited|command exited) with exit code (?P<code>-?\d{1,10})>\s*\Z")
_RUNNING = re.compile(r"<command with shellId: (?P<shell>[\w-]{1,40}) is still running|<shellId: (?P<other>[\w-]{1,40}) is still running")


def shell_ending(text: str) -> tuple[str, int | None, dict[str, Any]]:
    """An output without its last line, where that tells of the command; its exit code; and the shell that it tells of."""
    ended, running = _ENDED.search(text[-200:]), _RUNNING.search(text[-400:])
    if ended:
        about = {"shellId": ended["shell"]} if ended["shell"] else {}
        return text[: len(text) - len(ended.group())], whole(int(ended["code"])), about
    return text, stated_exit_code(text), {"session_id": running["shell"] or running["other"], "running": True} if running else {}
