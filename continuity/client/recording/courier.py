"""Sends what is in the spool while others read: several sessions at a time, one batch of each in its turn."""

from __future__ import annotations

import threading
import time
from collections import deque

from continuity.client.recording.folder_changes import FolderChanges
from continuity.client.recording.sending import Sender

# A session with trouble, whose answers may hang for a minute, gets one of them at most.
LANES = 4
LOOK_SECONDS = 1.0


class Courier:
    """Threads that send for a `Sender`, which from then on only keeps. `close` waits for what is under way."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._turn = threading.Condition()
        self._waiting: deque[str] = deque()
        self._busy: set[str] = set()
        self._again: set[str] = set()
        self._tried_version = ""
        self._noticed = FolderChanges(sender.spool.folder)
        self._stopped = False
        sender.behind = self.wake
        self._lanes = [threading.Thread(target=self._work, args=[sender.for_thread()], daemon=True) for _ in range(LANES)]
        for lane in self._lanes:
            lane.start()

    def wake(self, session: str) -> None:
        """There is something new of this session."""
        with self._turn:
            if session not in self._waiting:
                self._waiting.append(session)
            self._turn.notify()

    @property
    def idle(self) -> bool:
        """Whether nothing can be sent now: all went, or waits for its next attempt."""
        with self._turn:
            self._find()
            return not self._busy and not any(not self._sender.outlook.wait(each) for each in {*self._waiting, *self._again})

    @property
    def hopeless(self) -> bool:
        """Whether the server is there and refuses us."""
        return self._sender.outlook.refuses

    @property
    def empty(self) -> bool:
        """Whether everything went."""
        with self._turn:
            self._find()
            return not self._busy and not self._waiting

    def close(self, seconds: float = 5.0) -> None:
        with self._turn:
            self._stopped = True
            self._turn.notify_all()
        until = time.monotonic() + seconds
        for lane in self._lanes:
            lane.join(max(0.0, until - time.monotonic()))
        self._sender.behind = None

    def _work(self, sender: Sender) -> None:
        while (session := self._next()) is not None:
            more = False
            try:
                if session in self._again:
                    self._again.discard(session)
                    sender.send_again(session)
                more = sender.send_next(session)
            except Exception as error:  # noqa: BLE001  A session that can't be sent, for whatever reason, stops no other.
                sender.stumbled(session, error)
            finally:
                with self._turn:
                    self._busy.discard(session)
                    if session not in self._waiting and (more or sender.spool.pending(session)):
                        self._waiting.append(session)
                    self._turn.notify()
        sender.client.close()

    def _next(self) -> str | None:
        """The session whose turn it is, as soon as there is one; None where it is time to end."""
        while True:
            if self._sender.outlook.away:
                self._sender.outlook.look()
            with self._turn:
                if self._stopped:
                    return None
                self._find()
                for session in list(self._waiting):
                    if self._may_go(session):
                        self._waiting.remove(session)
                        self._busy.add(session)
                        return session
                self._turn.wait(LOOK_SECONDS)

    def _may_go(self, session: str) -> bool:
        outlook = self._sender.outlook
        if session in self._busy or outlook.wait(session):
            return False
        return not outlook.is_troubled(session) or not any(outlook.is_troubled(each) for each in self._busy)

    def _find(self) -> None:
        """Finds what other processes kept, and what a newer server may take. The turn is held."""
        if self._noticed.changed():
            self._waiting.extend(each for each in self._sender.spool.sessions() if each not in self._waiting and each not in self._busy)
        version = self._sender.outlook.version
        if version and version != self._tried_version:
            self._tried_version = version
            self._again = set(self._sender.to_try_again())
            self._waiting.extend(each for each in self._again if each not in self._waiting and each not in self._busy)
