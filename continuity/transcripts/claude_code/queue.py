"""Claude Code's queue: what a person typed while the agent worked.

A queued prompt that is taken into the running turn becomes no record of the user: older versions leave only the queue's
own records, `enqueue` with the words and later `remove`; newer ones add an attachment. One that is taken at the end of the
turn (`dequeue`) becomes an ordinary record, and one that is taken back to be edited (`popAll`) was never said. What waits still
when the file ends was said and not heard: a session that broke off must not lose it.

The tool queues notes of its own jobs, too, and often writes no record when one of these leaves. So a record that names no words takes
what a person typed first: else each prompt behind a forgotten note would be said a place too late, the last at the end of the file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from continuity.transcripts.base.fields import string

MAX_WAITING = 100


@dataclass(slots=True)
class Queued:
    """A prompt in the queue: its words, the record and line that put it there, and its id; `typed` where a person wrote it, `told` where
    a message of it was given."""

    words: str
    name: str
    line: int
    record: dict[str, Any] = field(repr=False)
    typed: bool = True
    told: bool = False


@dataclass(slots=True)
class Taken:
    """The effect of a record on the queue: `words` that it shows to be said now, and the prompts that left it without being messages of
    their own any more."""

    words: str = ""
    left: tuple[Queued, ...] = ()


class PromptQueue:
    """Decides when queued words were said, so that they are neither lost nor said twice."""

    def __init__(self) -> None:
        self._waiting: deque[Queued] = deque(maxlen=MAX_WAITING)
        self._said: deque[str] = deque(maxlen=MAX_WAITING)
        self._attachments = False

    @property
    def waiting(self) -> tuple[Queued, ...]:
        """The prompts that wait, the first one first."""
        return tuple(self._waiting)

    def enqueue(self, prompt: Queued) -> None:
        if prompt.words.strip():
            self._waiting.append(prompt)

    def operation(self, record: Mapping[str, Any]) -> Taken:
        """Takes a `queue-operation` record that takes from the queue."""
        operation, content = record.get("operation"), string(record.get("content"))
        if operation == "popAll":
            left = tuple(self._waiting)
            self._waiting.clear()
            return Taken(left=left)
        if operation not in ("dequeue", "remove"):
            return Taken()
        prompt = self._take(content)
        if prompt is None:
            return Taken()
        if operation == "remove" and self._was_absorbed(record) and not prompt.words.lstrip().startswith("/"):
            self._said.append(prompt.words)
            return Taken() if prompt.told else Taken(prompt.words, (prompt,))
        return Taken(left=(prompt,))

    def attachment(self, words: str) -> Taken:
        """Takes a queued prompt's attachment; its words are said unless they were already."""
        self._attachments = True
        prompt = next((each for each in self._waiting if each.words == words), None)
        if prompt is not None:
            self._waiting.remove(prompt)
            return Taken() if prompt.told else Taken(words, (prompt,))
        if words in self._said:
            self._said.remove(words)
            return Taken()
        return Taken(words)

    def _was_absorbed(self, record: Mapping[str, Any]) -> bool:
        """Whether a removal means that the agent read it. Where attachments tell, a bare removal is a cancellation."""
        reason = record.get("reason")
        return reason == "absorbed_mid_turn" or (not reason and not self._attachments)

    def _take(self, content: str) -> Queued | None:
        named = next((each for each in self._waiting if each.words == content), None)
        if named is not None:
            self._waiting.remove(named)
            return named
        if content or not self._waiting:
            return None
        prompt = next((each for each in self._waiting if each.typed), self._waiting[0])
        self._waiting.remove(prompt)
        return prompt
