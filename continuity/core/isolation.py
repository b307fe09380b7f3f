"""Fault isolation: one poisoned message, sentence or line costs only itself. Pure.

An exception names no words of a conversation here, since its message may quote them: only its type, and the place in our code.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from traceback import walk_tb
from typing import Any, TypeAlias, TypeVar

S = TypeVar("S")
M = TypeVar("M", bound=tuple[Any, ...])

# What says nothing about the message: a process that has no memory left would otherwise skip one after the other.
NOT_ITS_FAULT = (MemoryError,)
# What a message loses that a reader passes over.
LOST = {
    "knowledge": "nothing was taken from it",
    "segments": "its segment tells nothing of it",
    "usage": "it is not counted in how the window filled",
    "summaries": "the summaries leave it out",
    "probes": "no package is asked about it",
}
NAMED = 80  # characters of an exception's type


@dataclass(frozen=True, slots=True)
class MessageSkipped:
    """Message `seq` could not be read by `reader` (a key of LOST) and is passed over, kept as it is.

    `error` is the type of the exception, `place` where in our code it was raised (`options.py:41`).
    """

    seq: int
    reader: str
    error: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class RuleFault:
    """A rule raised an exception of this type on a sentence, which counts as no match."""

    rule: str
    error: str


Skipped: TypeAlias = tuple[MessageSkipped, ...]


def read_on(
    state: S,
    messages: Sequence[M],
    *,
    read: Callable[[S, Sequence[M]], S],
    pass_over: Callable[[S, M], S],
    reader: str,
    known: Collection[int] = (),
) -> tuple[S, Skipped]:
    """The state after messages (their numbers come first), and those that were passed over.

    `read` gives the state after some messages and leaves the one that it is given as it is. Where it raises, all of them are read again
    one by one; `pass_over` gives the state after one that raises by itself. What comes out is the same however messages are divided.
    `known` are messages that were passed over when they were read before: they are again, and not told of.
    """
    try:
        if not known or not any(message[0] in known for message in messages):
            return read(state, messages), ()
    except NOT_ITS_FAULT:
        raise
    except Exception:  # noqa: BLE001, S110  what raises is found, and told of, below
        pass
    passed: list[MessageSkipped] = []
    for message in messages:
        if message[0] in known:
            state = pass_over(state, message)
            continue
        try:
            state = read(state, (message,))
        except NOT_ITS_FAULT:
            raise
        except Exception as error:  # noqa: BLE001  told of in what is returned
            passed.append(MessageSkipped(message[0], reader, error_type(error), place_of(error)))
            state = pass_over(state, message)
    return state, tuple(passed)


def error_type(error: BaseException) -> str:
    return type(error).__name__[:NAMED]


def place_of(error: BaseException) -> str:
    """The file and line of the innermost frame of ours that the exception went through, without what it says."""
    frames = [(PurePath(frame.f_code.co_filename), line) for frame, line in walk_tb(error.__traceback__)]
    ours = [each for each in frames if not {"site-packages", "lib"} & set(each[0].parts)]
    path, line = (ours or frames or [(PurePath(), 0)])[-1]
    return f"{path.name}:{line}"


def name_of(error: BaseException) -> str:
    """Both in one, for a column of a table: `ValueError at options.py:41`."""
    return f"{error_type(error)} at {place_of(error)}"
