"""Which versions of the client and of the server go together. Pure, and loaded by hooks: it imports nothing.

Raise OLDEST_CLIENT where the server no longer understands older clients, OLDEST_SERVER where the client needs what older servers lack.
"""

from __future__ import annotations

OLDEST_CLIENT = "0.1.0"
OLDEST_SERVER = "0.1.0"
AGENT = "continuity-client"
_DIGITS = 6


def is_older(version: str, than: str) -> bool:
    """Whether it is a version before the other one; one that can't be read is taken for new enough, since nothing is known of it."""
    numbers = _numbers(version)
    return bool(numbers) and numbers < _numbers(than)


def client_of(user_agent: str) -> str:
    """The version of our client by what it calls itself, `continuity-client/0.1.0`; empty for any other program, and for clients from
    before they told it."""
    name, _, version = user_agent.partition("/")
    return version[:40] if name == AGENT else ""


def _numbers(version: str) -> tuple[int, ...]:
    """The three numbers of a version; none where it is no such version."""
    parts = version.split("+")[0].split("-")[0].split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) <= _DIGITS for part in parts):
        return ()
    return tuple(int(part) for part in parts)
