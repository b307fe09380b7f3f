"""What a person typed while the agent worked, which Claude Code keeps in a queue.

A queued prompt that is taken into the running turn becomes no record of the user: older versions leave only the queue's
own records, `enqueue` with the words and later `remove`; newer ones add an attachment. One that is taken at the end of the
turn (`dequeue`) becomes an ordinary record, and one that is taken back to be edited (`popAll`) was never said.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from continuity.transcripts.fields import string

MAX_WAITING = 100


class PromptQueue:
    """Decides when queued words were said, so that they are neither lost nor said twice."""

    def __init__(self) -> None:
        self._waiting: deque[str] = deque(maxlen=MAX_WAITING)
        self._said: deque[str] = deque(maxlen=MAX_WAITING)
        self._attachments = False

    def operation(self, record: Mapping[str, Any]) -> str:
        """Takes a `queue-operation` record; returns the words that it shows to be said, or nothing."""
        operation, content = record.get("operation"), string(record.get("content"))
        if operation == "enqueue":
            if content.strip():
                self._waiting.append(content)
        elif operation == "popAll":
            self._waiting.clear()
        elif operation in ("dequeue", "remove"):
            words = self._take(content)
            if operation == "remove" and self._was_absorbed(record) and not words.lstrip().startswith("/"):
                return self._say(words)
        return ""

    def attachment(self, words: str) -> str:
        """Takes a queued prompt's attachment; returns its words unless they were said already."""
        self._attachments = True
        if words in self._waiting:
            self._waiting.remove(words)
        elif words in self._said:
            self._said.remove(words)
            return ""
        return words

    def _was_absorbed(self, record: Mapping[str, Any]) -> bool:
        """Whether a removal means that the agent read it. Where attachments tell, a bare removal is a cancellation."""
        reason = record.get("reason")
        return reason == "absorbed_mid_turn" or (not reason and not self._attachments)

    def _take(self, content: str) -> str:
        if content in self._waiting:
            self._waiting.remove(content)
            return content
        return self._waiting.popleft() if self._waiting and not content else ""

    def _say(self, words: str) -> str:
        if words:
            self._said.append(words)
        return words
