"""The runner's answers to refusals of the server: it waits for orders, lets its agent go, or asks again after a growing pause."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

from continuity.client.agents.instances import patiently
from continuity.client.connection import Away, Refused

# This instance is over: the answers to heartbeats say whether there is to be another one here.
OVER = frozenset({"fenced", "not_recovering", "not_running"})
LONGEST_PAUSE = 60.0
_NEW_KEY = "Make a key with the scope agent, log in with it (continuity login), and start the runner again."
# No further try changes these. What a proxy refuses has none of our codes, and may pass.
_ADVICE = {
    "unauthenticated": _NEW_KEY,
    "key_refused": _NEW_KEY,
    "missing_scope": _NEW_KEY,
    "not_found": "If it was removed, start the runner again to register it anew.",
}


def advice(error: Refused) -> str:
    """Advice for a person, where the runner gives the agent up; empty else."""
    return _ADVICE.get(error.code, "")


def may_pass(error: Refused) -> bool:
    return error.code not in OVER and not advice(error)


def pauses() -> Iterator[float]:
    """Seconds to wait before each further try, without end: 1, 2, 4 … 60."""
    pause = 1.0
    while True:
        yield pause
        pause = min(LONGEST_PAUSE, 2 * pause)


def insist(work: Callable[[], dict[str, Any]], leaving: threading.Event, say: Callable[[str], None]) -> dict[str, Any]:
    """Does it until the server takes it; what it refuses is said once. Raises Refused where no further try changes that, and Away where the
    runner is to end."""
    said = ""
    for pause in pauses():
        try:
            return patiently(work, leaving)
        except Refused as error:
            if not may_pass(error):
                raise
            if said != str(error):
                said = str(error)
                say(f"{error} The server is asked again, at least once a minute; end the runner to let the agent go.")
            if leaving.wait(pause):
                raise Away(said) from error
    raise AssertionError("unreachable: pauses have no end")
