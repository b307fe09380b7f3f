"""Folding in a second process what this one stores, while it goes on storing.

The second process is a fork: it has the rules loaded and the state at hand. It folds what it is given and tells what a step
has to store; it lets go of every connection and never touches the database. Whatever keeps it from answering, this process folds
by itself.
"""

import gc
import logging
import os
import signal
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NoReturn

from continuity.models import Conversation
from continuity.pipeline import PipelineState, PipelineStep, StepRunner
from continuity.services.recording.message_mapping import NewMessage
from continuity.services.recording.message_store import of_recorded

logger = logging.getLogger("continuity.distilling")

_THREADS = Path("/proc/self/task")


def is_possible() -> bool:
    """Whether a processor is to spare, and this process has no other thread, which might hold a lock that no fork would ever see free."""
    try:
        return len(os.sched_getaffinity(0)) > 1 and len(list(_THREADS.iterdir())) == 1
    except (AttributeError, OSError):
        return False  # not Linux: who forks there may break what its libraries hold


class Beside:
    """A second process that goes on from where a fold stands. What changes messages that were given counts as a rewind of the
    conversation: what was found before one is not handed out."""

    def __init__(self, conversation: Conversation, at: PipelineState) -> None:
        self._rewinds = conversation.rewinds
        self._given = self._ended = conversation.folded_seq
        self._steps: dict[int, PipelineStep] = {}  # by the message after which they begin
        self._answers: deque[Future[list[PipelineStep]]] = deque()
        self._pipe, theirs = Pipe()
        self._process = os.fork()
        if not self._process:
            _answer_and_end(theirs, StepRunner(at, self._given))
        theirs.close()
        self._talk = ThreadPoolExecutor(1)

    def give(self, conversation: Conversation, rows: Sequence[NewMessage]) -> None:
        """Messages that were just stored, under the lock with which `conversation` was read. Waits for nothing."""
        if rows and rows[0].seq == self._given + 1 and conversation.rewinds == self._rewinds:
            self._given = rows[-1].seq
            self._answers.append(self._talk.submit(self._ask, rows))

    def take(self, conversation: Conversation, after: int, through: int) -> PipelineStep | None:
        """What the step from one message through another has to store; None where it was not found here. Waits for it."""
        if conversation.rewinds != self._rewinds:
            return None
        try:
            while after not in self._steps and self._answers:
                self._enter(self._answers.popleft().result())
            if after == self._ended < through == self._given:
                self._enter(self._talk.submit(self._ask, None).result())
        except (EOFError, OSError):
            logger.warning("The process that folded beside this one is gone; this one folds by itself")
        step = self._steps.pop(after, None)
        return step if step is not None and step.through == through else None

    def close(self) -> None:
        """Ends the second process, whatever it does."""
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self._process, 0)
        self._talk.shutdown()
        self._pipe.close()
        # An answer that failed holds what was being sent, and us by its traceback: only the collector would ever free it.
        self._answers.clear()

    def _ask(self, rows: Sequence[NewMessage] | None) -> list[PipelineStep]:
        self._pipe.send(rows)
        steps: list[PipelineStep] = self._pipe.recv()
        return steps

    def _enter(self, steps: Sequence[PipelineStep]) -> None:
        for step in steps:
            self._steps[self._ended] = step
            self._ended = step.through


def _answer_and_end(pipe: Connection, steps: StepRunner) -> NoReturn:
    """What the second process does from its first moment to its last, which runs nothing of what this one registered for its end."""
    try:
        gc.freeze()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        os.closerange(3, pipe.fileno())
        os.closerange(pipe.fileno() + 1, os.sysconf("SC_OPEN_MAX"))
        answer(pipe, steps)
    finally:
        os._exit(0)


def answer(pipe: Connection, steps: StepRunner) -> None:
    """Folds the rows that come until there are no more, and tells each time which steps ended; asked with None, ends one."""
    with suppress(EOFError):
        while True:
            rows: Sequence[NewMessage] | None = pipe.recv()
            pipe.send([steps.end()] if rows is None else steps.add(list(map(of_recorded, rows)), rows[-1].seq))
