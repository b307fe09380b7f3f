"""When a program that says nothing of itself has begun: for one that uses the library says so, but maybe only after a long import."""

from __future__ import annotations

from continuity.client.runner.machine import status_of
from continuity.client.runner.usage_meter import family

# A program that uses the library greets within this, or is still at work on its start.
HELLO_SECONDS = 2.0
# What is at work all the time is taken for begun after this: the server waits 30 seconds for an agent to be ready.
LONGEST_SECONDS = 15.0
# Running or waiting for a core; waiting for a disk.
AT_WORK = ("R", "D", "U")


class Startup:
    """The start of process `pid` at `began`, seconds of the monotonic clock. It is over when nothing of the process was seen at work for
    half of `wait` seconds, not before `wait`, and where it never rests after LONGEST_SECONDS. On a busy machine a start takes long, but it
    is at work."""

    def __init__(self, pid: int, began: float, wait: float) -> None:
        self._pid, self._began, self._wait = pid, began, wait
        self._at_work = began

    def is_over(self, now: float) -> bool:
        """To be asked a few times a second."""
        if any(status_of(each) in AT_WORK for each in family(self._pid)):
            self._at_work = now
        started = now - self._began
        rested = now - self._at_work >= self._wait / 2
        return started >= self._wait and (rested or started >= LONGEST_SECONDS)
