"""Exit codes that tools state in the text of a result."""

from __future__ import annotations

import re

from continuity.transcripts.base.fields import whole

_LOOK_AT = 400
_STATED = re.compile(
    r"\A\s*(?:Error:\s*)?(?:Exit code:?\s+|<returncode>\s*|Process exited with code\s+|<exit_code>\s*)(-?\d{1,10})\b",
    re.IGNORECASE,
)


def stated_exit_code(text: str) -> int | None:
    """The exit code with which a result's text begins ("Exit code 1", "<returncode>0</returncode>"), if it does."""
    found = _STATED.match(text[:_LOOK_AT])
    return whole(int(found.group(1))) if found else None
