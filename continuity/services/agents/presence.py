"""That a web process can be called, told by a thread of its own: while none does, nobody can be heard, and nobody is declared lost."""

import threading

from continuity.core import shutdown
from continuity.services.agents import beats

EVERY_SECONDS = 0.5
# Without a sign for so long no web process is there.
LONGEST = 2.0


def begin() -> threading.Event:
    """Tells of this process until it stops taking calls, or until the event is set."""
    stop = threading.Event()
    threading.Thread(target=_announce, args=(stop,), name="presence", daemon=True).start()
    return stop


def _announce(stop: threading.Event) -> None:
    while not stop.is_set() and not shutdown.begun():
        beats.be_present()
        stop.wait(EVERY_SECONDS)
