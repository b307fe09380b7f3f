"""Names of agents, and the orders that they get. Pure."""

from __future__ import annotations

import re
from enum import StrEnum

# The first sign keeps "." and ".." out of addresses and folders.
NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$"
_NAME = re.compile(NAME)
# Addresses of the API below /agents.
TAKEN = frozenset({"heartbeats"})


class OrderKind(StrEnum):
    """`replace` is asked for by people; the one who takes over is told to `resume`."""

    PROBE = "probe"
    SAVE_STATE = "save_state"
    RESTART = "restart"
    STOP = "stop"
    REPLACE = "replace"
    RESUME = "resume"


class OrderStatus(StrEnum):
    OPEN = "open"
    DONE = "done"
    FAILED = "failed"
    OVERTAKEN = "overtaken"


def is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None and text not in TAKEN
