"""The recorder: one process for all live sessions of a user, started by a hook, gone a minute after the last of them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from continuity.client import credentials, places
from continuity.client.client import Client
from continuity.client.light import files, live_sessions
from continuity.client.recording.live_sessions import LiveSessions
from continuity.client.recording.pack_starter import PackStarter
from continuity.client.recording.sending import Sender
from continuity.client.recording.spool import Spool
from continuity.client.recording.watching import LOOK_SECONDS, Watcher

LINGER_SECONDS = 60.0
# Where the server is away, what waits keeps the recorder for at most so long; the next one goes on with it.
KEEP_TRYING_SECONDS = 24 * 3600.0
STRIKE_SECONDS = 1.0
# A hung answer takes one of several connections for so long.
ANSWER_SECONDS = 30.0


def run(say: Callable[[str], None], on_stop: Callable[[Callable[[], None]], None], *, handed: int | None = None) -> int:
    """Records until nothing is left to do; ends at once where another recorder is at work. `on_stop` is given what ends it early.

    `handed` is the descriptor of the claim that it was started with.
    """
    os.environ.pop(credentials.AGENT, None)  # It records for all sessions, also of an agent that died: it is none.
    os.environ[files.HOME] = str(places.home().absolute())
    place = live_sessions.folder()
    os.chdir(files.home())  # Holds no project's folder.
    stopped: list[bool] = []
    claim = live_sessions.claim(place, handed=handed)
    while claim.ours and not stopped:
        registered = LiveSessions(place)
        watcher = Watcher(registered.find, Sender(Client(answer=ANSWER_SECONDS), Spool(), say), say)

        def stop(watcher: Watcher = watcher) -> None:
            watcher.stop = True
            stopped.append(True)

        on_stop(stop)
        starter = PackStarter(registered, say)
        try:
            _serve(watcher, registered, starter)
        finally:
            starter.close()
            watcher.close()
            claim.release()
        if not registered.look():
            break  # Nobody named a session since the last look, and whoever does so now finds the claim free.
        claim = live_sessions.claim(place)
    claim.release()
    return 0


def _serve(watcher: Watcher, registered: LiveSessions, starter: PackStarter) -> None:
    """Until the last session is over for a minute and what was kept is sent, or long enough tried."""
    struck = busy = live_at = time.monotonic()
    while not watcher.stop:
        if registered.look():
            watcher.find_soon()
        worked = watcher.look()
        starter.look()
        now = time.monotonic()
        if now - struck >= STRIKE_SECONDS:
            struck = now
            registered.strike_off(watcher)
            live_at = now if len(registered) else live_at
            busy = now if len(registered) or not (watcher.courier.empty or watcher.courier.hopeless) else busy
            if now - busy >= LINGER_SECONDS or now - live_at >= KEEP_TRYING_SECONDS:
                return
        if not worked:
            time.sleep(LOOK_SECONDS)
